import {
  comment,
  delay,
  destroy,
  event,
  finish,
  hangUp,
  raw,
  reasoning,
  refuse,
  type ScriptedModel,
  stall,
  text,
} from '../script/script.ts';
import { toPieces } from '../relay/tokens.ts';
import { chunk, fault, half, plain } from './fault.ts';

const blockedUsage = { prompt_tokens: 13, completion_tokens: 0, total_tokens: 13 };
const promptBlocked = {
  message: 'request blocked by Gemini API: SAFETY',
  ...{ type: 'new_api_error', param: '', code: 'prompt_blocked' },
};

export const endingFaults: readonly ScriptedModel[] = [
  fault('cut-mid-answer', 'The connection closes in the middle of the answer.', ({ ordinary }) => [
    half(ordinary),
    destroy(),
  ]),
  fault(
    'cut-then-repeats',
    'The connection closes in the middle of the answer; asked to go on, it repeats its last words first.',
    ({ ordinary }) => [half(ordinary), destroy()],
    undefined,
    true,
  ),
  fault('reset-mid-answer', 'The connection is reset in the middle of the answer.', ({ ordinary }) => [
    half(ordinary),
    destroy('rst'),
  ]),
  fault('cut-before-answer', 'The connection closes before any status was sent.', () => [destroy()]),
  fault('cut-before-answer-then-ok', 'As before at first; the next request is answered.', (given) =>
    given.context.attempt % 2 === 1 ? [destroy()] : plain(given),
  ),
  fault('cut-after-head', 'A 200, then the connection closes without a byte of body.', () => [
    raw(''),
    destroy(),
  ]),
  fault(
    'hang-up-mid-answer',
    'The body ends properly in mid-answer: no finish reason, no usage, no `[DONE]`.',
    ({ ordinary }) => [half(ordinary), hangUp],
  ),
  fault(
    'done-without-finish',
    'The vendor was cut off and the relay adds usage and `[DONE]`: truncated, though it looks complete.',
    ({ ordinary }) => [half(ordinary), finish(null)],
  ),
  fault(
    'prompt-blocked',
    'Google blocked the prompt: usage and `[DONE]` without a word, or a 400 where nothing is streamed.',
    ({ request }) =>
      request.stream
        ? [event(chunk(request, { choices: [], usage: blockedUsage })), raw('data: [DONE]\n\n'), hangUp]
        : [refuse({ status: 400, body: { error: promptBlocked } })],
  ),
  fault('length', 'Stops with `length`: the output limit was reached.', ({ ordinary }) => [
    half(ordinary),
    finish('length'),
  ]),
  fault('content-filter', 'Stops with `content_filter`.', ({ ordinary }) => [
    half(ordinary),
    finish('content_filter'),
  ]),
  fault('vendor-finish', "Stops with a vendor's own word, `eos`.", ({ ordinary }) => [
    text(ordinary),
    finish('eos'),
  ]),
  fault('empty-reply', 'Finishes with `stop` and says nothing.', () => [text(''), finish('stop')]),
  fault('empty-stream', 'A 200 event stream without a byte.', () => [raw(''), hangUp]),
  fault('only-reasoning', 'Reasons, then stops without a word of answer.', () => [
    reasoning('I know the answer, and I keep it to myself. (Scripted.)'),
  ]),
  fault('stall-before-first-token', 'Never answers: not even a status.', () => [stall]),
  fault('stall-after-head', 'A 200 event stream, and then nothing ever.', () => [raw(''), stall]),
  fault('stall-mid-answer', 'Falls silent in mid-answer and keeps the connection open.', ({ ordinary }) => [
    half(ordinary),
    stall,
  ]),
  fault('pings-only-then-answer', 'Three `: PING` comments with pauses, then the answer.', function* (given) {
    for (let i = 0; i < 3; i += 1) {
      yield comment('PING');
      yield delay(given.context.pauseMs);
    }
    yield* plain(given);
  }),
  fault(
    'odd-comments',
    'Comments of other products before and between chunks: `: OPENROUTER PROCESSING`, a bare `:`.',
    function* ({ ordinary }) {
      yield comment('OPENROUTER PROCESSING');
      yield half(ordinary);
      yield raw(':\n\n');
      yield text(ordinary.slice(ordinary.length / 2));
    },
  ),
  fault('pings-forever', '`: PING` comments and never an answer.', function* ({ context }) {
    for (;;) {
      yield comment('PING');
      // At least a short pause, as nothing else would slow this down.
      yield delay(Math.max(context.pauseMs, 5));
    }
  }),
  fault('slow-first-token', 'A long pause before the answer (three times the pause set).', function* (given) {
    yield delay(3 * given.context.pauseMs);
    yield* plain(given);
  }),
  fault('slow-drip', 'A pause before every word.', function* ({ ordinary, context }) {
    for (const word of toPieces(ordinary)) {
      yield delay(context.pauseMs);
      yield text(word);
    }
  }),
];
