import { readBalance, type Balance } from './prices/balance.ts';
import { listModels } from './list/listModels.ts';
import type { Model } from './messages.ts';
import type { Price } from './prices/price.ts';
import type { RelayContext } from './relayCall.ts';
import { RelayPrices } from './prices/relayPrices.ts';
import { createStreamModel, askModel, type AskModel } from './streamModel.ts';

/** One relay with one key. Sockets belong to the HTTP client. */
export interface RelayClient {
  listModels(signal: AbortSignal): Promise<Model[]>;
  ask: AskModel;
  /** Undefined if the relay has no price. Never rejects. */
  price(model: string): Promise<Price | undefined>;
  /** The remaining balance of the key or account; undefined if not reported. Throws a `SwitchboardError`. */
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
    ask: askModel(createStreamModel(context)),
    price: (model) => prices.of(model),
    balance: (signal) => readBalance(context, signal),
  };
}
