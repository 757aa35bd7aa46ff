import { echo } from '../models/callOrTell.ts';
import { restOf } from '../models/goOn.ts';
import { type ChatRequest, continuationOf } from '../relay/chatRequest.ts';
import { type ScriptContext, type ScriptedModel, type Step, text } from '../script/script.ts';
import type { WireForm } from '../script/wireForm.ts';

/** What a fault's script gets. */
export interface FaultScript {
  request: ChatRequest;
  context: ScriptContext;
  /** An ordinary answer of this model, to be spoilt. */
  ordinary: string;
}

/** A model that misbehaves in one way; `describe` says what a client sees. Asked to go on with its answer, it does. */
export function fault(
  name: string,
  describe: string,
  script: (given: FaultScript) => Iterable<Step> | AsyncIterable<Step>,
  wire?: WireForm,
  /** Going on, it says the last words once more, as models do. */
  repeats = false,
): ScriptedModel {
  const id = `fault/${name}`;
  return {
    id,
    ownedBy: 'faults',
    describe,
    contextWindow: 128_000,
    maxTokens: 16_384,
    ...(wire && { wire }),
    async *answer(request, context) {
      const ordinary = (asked: ChatRequest) => `${echo(id, asked)}\nMy fault: ${describe}\n`;
      const rest = await restOf(request, ordinary);
      if (rest === undefined) yield* script({ request, context, ordinary: ordinary(request) });
      else yield text(repeats ? `${lastWordsOf(request)}${rest}` : rest);
    },
  };
}

/** With which the answer broke off. */
function lastWordsOf(request: ChatRequest): string {
  return /(?:\S+\s+){5}\S*$/.exec(continuationOf(request)?.before ?? '')?.[0] ?? '';
}

/** An ordinary answer, for faults of form alone. */
export function* plain({ ordinary }: FaultScript): Generator<Step> {
  yield { type: 'text', text: ordinary };
}

/** The first half of an ordinary answer. */
export function half(ordinary: string): Step {
  return { type: 'text', text: ordinary.slice(0, ordinary.length / 2) };
}

/** A chunk outside the engine's own, for forms that it does not make. */
export function chunk(request: ChatRequest, fields: object): object {
  return {
    id: 'chatcmpl-fault',
    object: 'chat.completion.chunk',
    created: 1786000000,
    model: request.model,
    ...fields,
  };
}
