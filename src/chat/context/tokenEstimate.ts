import { memoize } from '../../base/async/lazy.ts';
import type { Message, ToolDefinition } from '../../relay/messages.ts';

const framingTokens = 4;

/** Rough cost of a large picture; vendors count by size, each in its own way. */
export const pictureTokens = 1200;

/** Cached per object, because every round counts the whole conversation. */
export const sizeOfMessage = memoize((message: Message): number => {
  const size = framingTokens + estimateTokens(message.content);
  if (message.role === 'tool') return size + estimateTokens(message.toolCallId);
  if (message.role === 'user') return size + pictureTokens * (message.images?.length ?? 0);
  if (message.role !== 'assistant') return size;
  return (message.toolCalls ?? []).reduce(
    (sum, { id, name, arguments: args }) =>
      sum + framingTokens + estimateTokens(id + name) + estimateTokens(args),
    size + (message.toolCalls && message.reasoning ? estimateTokens(message.reasoning) : 0),
  );
});

export const sizeOfTool = memoize((tool: ToolDefinition): number => estimateTokens(JSON.stringify(tool)));

/** Counts by words, digits and scripts without spaces. One pass; grows monotonically with the text. */
export function estimateTokens(text: string): number {
  let tenths = 0;
  let kind: Kind = 0;
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const next: Kind = code < 128 ? (asciiKinds[code] as Kind) : kindOf(code);
    // A capital begins a word, it does not end one.
    if (next !== kind && !(kind === capital && next === letter)) {
      tenths += tenthsOf(kind, length);
      length = 0;
    }
    kind = next;
    length++;
  }
  return Math.ceil((tenths + tenthsOf(kind, length)) / 10);
}

type Kind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const space = 1;
const letter = 2;
const capital = 3;
const digit = 4;
const sign = 5;
const otherLetter = 6;
const dense = 7;
const rare = 8;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (code <= 32 || code === 127) return space;
  if (/[a-z]/.test(character)) return letter;
  if (/[A-Z]/.test(character)) return capital;
  return /\d/.test(character) ? digit : sign;
});

function kindOf(code: number): Kind {
  if (code < 0x0780) return otherLetter;
  return (code & 0xf800) === 0xd800 ? rare : dense;
}

/** In tenths of a token, so that sums stay exact. */
function tenthsOf(kind: Kind, length: number): number {
  switch (kind) {
    case 0:
      return 0;
    case space:
      return length === 1 ? 0 : 10 * Math.ceil(length / 40);
    case letter:
    case capital:
      return 10 * Math.ceil(length / 8);
    case digit:
      return 10 * Math.ceil(length / 3);
    case sign:
      return 10 * Math.ceil(length / 2.5);
    case otherLetter:
      return 10 * Math.ceil(length / 4);
    case dense:
      return 9 * length;
    case rare:
      return 12 * length;
  }
}
