import { piece, type Step } from '../script/script.ts';
import { toPieces } from './tokens.ts';

/** Cuts texts into pieces and stops with `length` at a request's `max_tokens`. */
export async function* limitTokens(
  steps: Iterable<Step> | AsyncIterable<Step>,
  maxTokens: number | null | undefined,
): AsyncGenerator<Step> {
  let left = maxTokens ?? Infinity;
  for await (const step of steps) {
    if (step.type !== 'text' && step.type !== 'reasoning') {
      yield step;
      continue;
    }
    const pieces = step.type === 'text' && step.whole ? [step.text] : toPieces(step.text);
    for (const text of pieces) {
      if (left-- <= 0) {
        yield { type: 'finish', reason: 'length' };
        return;
      }
      yield step.type === 'text' ? piece(text) : { type: 'reasoning', text };
    }
  }
}
