import { countTokens } from '../relay/tokens.ts';
import type { SegmentationRules } from './processRule.ts';

/** Cuts of a text that is still too long, the coarsest first; the empty one cuts between characters. */
const separators = ['\n\n', '。', '. ', ' ', ''];

export function cleanText(text: string, rules: SegmentationRules['pre_processing_rules']): string {
  const isOn = (id: string): boolean => rules.some((rule) => rule.id === id && rule.enabled);
  let cleaned = text;
  if (isOn('remove_extra_spaces')) {
    cleaned = cleaned.replace(/\n{3,}/g, '\n\n').replace(/[^\S\n]{2,}/gu, ' ');
  }
  if (isOn('remove_urls_emails')) {
    cleaned = cleaned.replace(/[\w.+-]+@[\w-]+\.[\w.-]+/g, '').replace(/https?:\/\/\S+/g, '');
  }
  return cleaned;
}

/** Cuts at every separator, and texts with too many tokens. @param separator undefined: only the latter */
export function splitText(
  text: string,
  separator: string | undefined,
  maxTokens: number,
  overlapTokens = 0,
): string[] {
  const pieces = separator ? text.split(separator) : [text];
  return pieces
    .flatMap((piece) =>
      countTextTokens(piece) > maxTokens ? splitLong(piece, maxTokens, overlapTokens, separators) : [piece],
    )
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

/** Each Han character is a token, as in vocabularies; words as elsewhere in the sandbox. */
export function countTextTokens(text: string): number {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return han === 0 ? countTokens(text) : han + countTokens(text.replace(/\p{Script=Han}/gu, ' ').trim());
}

/** Separators stay with the text before them, so nothing is lost. */
function splitLong(text: string, maxTokens: number, overlapTokens: number, finer: string[]): string[] {
  const index = finer.findIndex((candidate) => candidate === '' || text.includes(candidate));
  const separator = finer[index] ?? '';
  const chunks: string[] = [];
  let run: { text: string; tokens: number }[] = [];
  let tokens = 0;
  const flush = (): void => {
    if (run.length > 0) chunks.push(run.map((piece) => piece.text).join(''));
  };
  for (const piece of piecesOf(text, separator)) {
    const count = Math.max(1, countTextTokens(piece.trim()));
    if (count > maxTokens && separator !== '') {
      flush();
      run = [];
      tokens = 0;
      chunks.push(...splitLong(piece, maxTokens, overlapTokens, finer.slice(index + 1)));
      continue;
    }
    if (tokens + count > maxTokens) {
      flush();
      while (run.length > 0 && (tokens > overlapTokens || tokens + count > maxTokens)) {
        tokens -= run.shift()?.tokens ?? 0;
      }
    }
    run.push({ text: piece, tokens: count });
    tokens += count;
  }
  flush();
  return chunks;
}

function piecesOf(text: string, separator: string): string[] {
  if (separator === '') return Array.from(text);
  const pieces = text.split(separator);
  return pieces.map((piece, index) => (index < pieces.length - 1 ? piece + separator : piece));
}
