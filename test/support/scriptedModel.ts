import { SwitchboardError } from '../../src/base/errors/errors.ts';
import type { ModelEvent, ModelRequest, StreamModel } from '../../src/relay/messages.ts';
import { askModel, type AskModel } from '../../src/relay/streamModel.ts';

type Step = ModelEvent | Error | 'wait';

/** Plays a script per call and keeps the requests. `wait` waits until the caller aborts. */
export function scriptedModel(...scripts: Step[][]): {
  streamModel: StreamModel;
  ask: AskModel;
  requests: ModelRequest[];
} {
  const requests: ModelRequest[] = [];
  const streamModel: StreamModel = async function* (request, signal) {
    const script = scripts[requests.length] ?? [];
    requests.push(request);
    for (const step of script) {
      if (step instanceof Error) throw step;
      if (step === 'wait') {
        if (!signal.aborted) {
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        }
        throw new SwitchboardError('cancelled', 'cancelled');
      }
      yield step;
    }
  };
  return { streamModel, ask: askModel(streamModel), requests };
}
