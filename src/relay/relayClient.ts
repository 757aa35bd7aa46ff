import { listModels } from './listModels.ts';
import type { Model, StreamModel } from './messages.ts';
import type { RelayContext } from './relayCall.ts';
import { createStreamModel } from './streamModel.ts';

/** One relay with one key. Holds nothing open: sockets belong to the HTTP client. */
export interface RelayClient {
  /** The chat models the key can use; may be empty. Throws a `SwitchboardError`. */
  listModels(signal: AbortSignal): Promise<Model[]>;
  streamModel: StreamModel;
}

export function createRelayClient(context: RelayContext): RelayClient {
  return {
    listModels: (signal) => listModels(context, signal),
    streamModel: createStreamModel(context),
  };
}
