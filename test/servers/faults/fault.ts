import { echo } from '../models/callOrTell.ts';
import { restOf } from '../models/goOn.ts';
import { type ChatRequest, continuationOf } from '../relay/chatRequest.ts';
import { type ScriptContext, type ScriptedModel, type Step, text } from '../script/script.ts';
import type { WireForm } from '../script/wireForm.ts';

export interface FaultScript {
  request: ChatRequest;
  context: ScriptContext;
  ordinary: string;
}

/** A model with one fault; `describe` says what a client sees. It can continue its answer when asked to. */
export function fault(
  name: string,
  describe: string,
  script: (given: FaultScript) => Iterable<Step> | AsyncIterable<Step>,
  wire?: WireForm,
  /** Continues with the last words once more, as models do. */
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

function lastWordsOf(request: ChatRequest): string {
  return /(?:\S+\s+){5}\S*$/.exec(continuationOf(request)?.before ?? '')?.[0] ?? '';
}

export function* plain({ ordinary }: FaultScript): Generator<Step> {
  yield { type: 'text', text: ordinary };
}

export function half(ordinary: string): Step {
  return { type: 'text', text: ordinary.slice(0, ordinary.length / 2) };
}

/** A chunk in a form that the engine doesn't make. */
export function chunk(request: ChatRequest, fields: object): object {
  return {
    id: 'chatcmpl-fault',
    object: 'chat.completion.chunk',
    created: 1786000000,
    model: request.model,
    ...fields,
  };
}
