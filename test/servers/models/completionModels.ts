import { openaiError } from '../dialects/errors.ts';
import {
  delay,
  destroy,
  finish,
  hangUp,
  refuse,
  type ScriptedModel,
  stall,
  type Step,
  text,
} from '../script/script.ts';
import type { CompletionRequest } from '../script/script.ts';
import { callOrTell } from './callOrTell.ts';

type Complete = NonNullable<ScriptedModel['complete']>;

/** Fills in the last word of the suffix that stands nowhere in the prompt, and the like of a line without one. */
export const completer: ScriptedModel = {
  id: 'scripted-completer',
  ownedBy: 'mistral',
  describe:
    'Completes code by `/v1/completions`: with the last word after the caret that is not before it, else with `completed();`. Chats as scripted-tools does.',
  contextWindow: 32_000,
  maxTokens: 4_096,
  *answer(request) {
    yield* callOrTell('scripted-completer', request);
  },
  complete,
};

function* complete({ prompt, suffix }: CompletionRequest): Generator<Step> {
  const known = new Set(prompt.match(words));
  yield text(suffix.match(words)?.findLast((word) => !known.has(word)) ?? 'completed();');
}

const words = /[A-Za-z_]\w+/g;

/** Models that are not listed. Sources: `README.md`. */
export const completionFaults: readonly ScriptedModel[] = [
  fault('message', 'Codestral: answers in `choices[].message.content`.', complete, {
    completesAs: 'message',
  }),
  fault('prose', 'A chat model behind LiteLLM, or a relay that loses the prompt: prose.', function* () {
    yield text('The missing parameter is `breadth`. Here is the function:\n\n```js\nfunction areaOf(');
  }),
  fault('empty', 'Nothing to add.', function* () {}),
  fault('cut', 'Stopped at the limit of tokens.', function* () {
    yield text('first();\nsecond();\nthi');
    yield finish('length');
  }),
  fault('no-suffix-vllm', 'vLLM refuses the suffix.', refusing(400, 'suffix is not currently supported')),
  fault('no-suffix-extra', 'A server that knows no suffix.', refusing(400, 'Extra inputs are not permitted')),
  fault(
    'no-suffix-litellm',
    'LiteLLM hands the suffix to a client that does not know it.',
    refusing(500, "litellm.APIConnectionError: got an unexpected keyword argument 'suffix'"),
  ),
  fault('429', 'A limit of requests.', refusing(429, 'Rate limit reached for requests.')),
  fault('500', 'A server that fails.', refusing(500, 'The server had an error.')),
  fault('stall', 'Never answers.', function* () {
    yield stall;
  }),
  fault('slow', 'Answers after the pause.', function* (request, { pauseMs }) {
    yield delay(pauseMs);
    yield* complete(request);
  }),
  fault('cut-json', 'The body ends too early.', function* () {
    yield text('half();');
    yield hangUp;
  }),
  fault('reset', 'The connection breaks.', function* () {
    yield destroy('rst');
  }),
];

function fault(
  name: string,
  describe: string,
  script: Complete,
  more: Partial<ScriptedModel> = {},
): ScriptedModel {
  return { ...completer, id: `completion/${name}`, describe, complete: script, ...more };
}

function refusing(status: number, message: string): Complete {
  return function* () {
    yield refuse({ ...openaiError(null, message), status });
  };
}
