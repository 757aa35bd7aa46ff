import { readBalance, type Balance } from './balance.ts';
import { listModels } from './listModels.ts';
import type { Model, StreamModel } from './messages.ts';
import type { Price } from './price.ts';
import type { RelayContext } from './relayCall.ts';
import { RelayPrices } from './relayPrices.ts';
import { createStreamModel } from './streamModel.ts';

/** One relay with one key. Holds nothing open: sockets belong to the HTTP client. */
export interface RelayClient {
  /** The chat models the key can use; may be empty. Throws a `SwitchboardError`. */
  listModels(signal: AbortSignal): Promise<Model[]>;
  streamModel: StreamModel;
  /** What the relay says that it takes for a model; undefined where it does not say. Never rejects. */
  price(model: string): Promise<Price | undefined>;
  /** What the key, or its account, has left; undefined where the relay does not say. Throws a `SwitchboardError`. */
  balance(signal: AbortSignal): Promise<Balance | undefined>;
}

export function createRelayClient(context: RelayContext): RelayClient {
  const list = (signal: AbortSignal) => listModels(context, signal);
  const prices = new RelayPrices(context, async (signal) => (await list(signal)).prices);
  return {
    async listModels(signal) {
      const listed = await list(signal);
      prices.keep(listed.prices);
      return listed.models;
    },
    streamModel: createStreamModel(context),
    price: (model) => prices.of(model),
    balance: (signal) => readBalance(context, signal),
  };
}
