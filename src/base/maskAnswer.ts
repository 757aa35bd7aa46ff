const mask = '***';

/** Shorter ones are words that an answer may well have. */
const shortest = 8;

/**
 * Masks secrets in what a server answers: a text, or JSON, where any character may be written as an escape. Finds them
 * as they are, not in other forms as `maskSecrets` does in errors: an answer is not to be changed by chance.
 */
export function maskExactly(text: string, secrets: readonly string[]): string {
  return known(secrets).reduce((masked, secret) => {
    // Nearly always there is none, which this sees faster than the pattern.
    const plain = masked.replaceAll(secret, mask);
    return plain.includes('\\') ? plain.replace(escapable(secret), mask) : plain;
  }, text);
}

function known(secrets: readonly string[]): string[] {
  return secrets.filter(({ length }) => length >= shortest);
}

/** A secret of which any character may be escaped as in JSON. */
function escapable(secret: string): RegExp {
  const characters = Array.from(secret, (_, at) => {
    const code = secret.charCodeAt(at).toString(16).padStart(4, '0');
    const optional = /[/"\\]/.test(secret.charAt(at)) ? '\\\\?' : '';
    const eitherCase = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    return `(?:${optional}\\u${code}|\\\\u${eitherCase})`;
  });
  return new RegExp(characters.join(''), 'g');
}

/** Masks secrets in a text that comes in pieces: only an end that may begin a secret waits for the next piece. */
class StreamedMask {
  private waiting = '';

  constructor(private readonly secrets: readonly string[]) {}

  add(piece: string): string {
    const text = maskExactly(this.waiting + piece, this.secrets);
    this.waiting = text.slice(this.startOfSecret(text));
    return text.slice(0, text.length - this.waiting.length);
  }

  /** What waits, when something else follows: no more than may be shown of a secret, unless this is the end. */
  rest(isEnd: boolean): string {
    if (!isEnd && this.waiting.length >= shortest) return '';
    const rest = this.waiting;
    this.waiting = '';
    return rest;
  }

  /** Where the end of a text begins that a secret may begin with; its length where there is none. */
  private startOfSecret(text: string): number {
    let first = text.length;
    for (const secret of this.secrets) {
      let start = text.indexOf(secret.charAt(0), Math.max(0, text.length - secret.length + 1));
      while (start >= 0 && !secret.startsWith(text.slice(start))) {
        start = text.indexOf(secret.charAt(0), start + 1);
      }
      if (start >= 0) first = Math.min(first, start);
    }
    return first;
  }
}

interface TextEvent {
  type: 'textAdded' | 'reasoningAdded';
  text: string;
}

/** After these, what was said before is over. */
const ends = new Set(['toolCallsCompleted', 'modelFinished', 'textReplaced', 'runFinished', 'ended']);

/**
 * The events of an answer of which a server that repeats the user's secrets shows none. Of texts that come in pieces
 * this masks the secrets; `maskWhole` does so in an event of another kind.
 */
export async function* maskAnswer<E extends { type: string }>(
  batches: AsyncIterable<readonly E[]>,
  knownSecrets: readonly string[],
  maskWhole: (event: E) => E = (event) => event,
): AsyncGenerator<readonly (E | TextEvent)[], void> {
  const secrets = known(knownSecrets);
  if (secrets.length === 0) {
    yield* batches;
    return;
  }
  const masks = { reasoningAdded: new StreamedMask(secrets), textAdded: new StreamedMask(secrets) };
  const rest = (isEnd: boolean): TextEvent[] =>
    (['reasoningAdded', 'textAdded'] as const).flatMap((type) => {
      const text = masks[type].rest(isEnd);
      return text ? [{ type, text }] : [];
    });
  const masked = (event: E): (E | TextEvent)[] => {
    if (!isText(event)) return [...rest(ends.has(event.type)), maskWhole(event)];
    const text = masks[event.type].add(event.text);
    return text ? [{ type: event.type, text }] : [];
  };
  try {
    for await (const batch of batches) {
      const events = batch.flatMap(masked);
      if (events.length > 0) yield events;
    }
  } catch (error) {
    const events = rest(true);
    if (events.length > 0) yield events;
    throw error;
  }
  const events = rest(true);
  if (events.length > 0) yield events;
}

function isText(event: { type: string }): event is TextEvent {
  return event.type === 'textAdded' || event.type === 'reasoningAdded';
}
