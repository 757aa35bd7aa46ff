const mask = '***';

const shortest = 8;

/** Masks exact occurrences in text or JSON; unlike `maskSecrets` no other encodings, which could match by chance. */
export function maskExactly(text: string, secrets: readonly string[]): string {
  return known(secrets).reduce((masked, secret) => {
    // Faster than the pattern when there is no secret.
    const plain = masked.replaceAll(secret, mask);
    return plain.includes('\\') ? plain.replace(escapable(secret), mask) : plain;
  }, text);
}

function known(secrets: readonly string[]): string[] {
  return secrets.filter(({ length }) => length >= shortest);
}

function escapable(secret: string): RegExp {
  const characters = Array.from(secret, (_, at) => {
    const code = secret.charCodeAt(at).toString(16).padStart(4, '0');
    const optional = /[/"\\]/.test(secret.charAt(at)) ? '\\\\?' : '';
    const eitherCase = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    return `(?:${optional}\\u${code}|\\\\u${eitherCase})`;
  });
  return new RegExp(characters.join(''), 'g');
}

/** Masks secrets in streamed text; holds back only an end that could begin a secret. */
class StreamedMask {
  private waiting = '';

  constructor(private readonly secrets: readonly string[]) {}

  add(piece: string): string {
    const text = maskExactly(this.waiting + piece, this.secrets);
    this.waiting = text.slice(this.startOfSecret(text));
    return text.slice(0, text.length - this.waiting.length);
  }

  /** Releases the held text before another event, unless it is long enough to reveal part of a secret. */
  rest(isEnd: boolean): string {
    if (!isEnd && this.waiting.length >= shortest) return '';
    const rest = this.waiting;
    this.waiting = '';
    return rest;
  }

  /** Start of a suffix that could begin a secret; the text's length if there is none. */
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

const textEnds = new Set(['toolCallsCompleted', 'modelFinished', 'textReplaced', 'runFinished', 'ended']);

/** For servers that repeat the user's secrets. Events that don't arrive in pieces are masked by `maskWhole`. */
export class AnswerMask<E extends { type: string }> {
  private readonly masks: Record<TextEvent['type'], StreamedMask>;

  constructor(
    secrets: readonly string[],
    private readonly maskWhole: (event: E) => E = (event) => event,
  ) {
    const long = known(secrets);
    this.masks = { reasoningAdded: new StreamedMask(long), textAdded: new StreamedMask(long) };
  }

  add(events: readonly E[]): (E | TextEvent)[] {
    return events.flatMap((event): (E | TextEvent)[] => {
      if (!isText(event)) return [...this.rest(textEnds.has(event.type)), this.maskWhole(event)];
      const text = this.masks[event.type].add(event.text);
      return text ? [{ type: event.type, text }] : [];
    });
  }

  end(): TextEvent[] {
    return this.rest(true);
  }

  private rest(isEnd: boolean): TextEvent[] {
    return (['reasoningAdded', 'textAdded'] as const).flatMap((type) => {
      const text = this.masks[type].rest(isEnd);
      return text ? [{ type, text }] : [];
    });
  }
}

export async function* maskAnswer<E extends { type: string }>(
  batches: AsyncIterable<readonly E[]>,
  secrets: readonly string[],
  maskWhole?: (event: E) => E,
): AsyncGenerator<readonly (E | TextEvent)[], void> {
  const masker = new AnswerMask(secrets, maskWhole);
  try {
    for await (const batch of batches) {
      const events = masker.add(batch);
      if (events.length > 0) yield events;
    }
  } catch (error) {
    const events = masker.end();
    if (events.length > 0) yield events;
    throw error;
  }
  const events = masker.end();
  if (events.length > 0) yield events;
}

function isText(event: { type: string }): event is TextEvent {
  return event.type === 'textAdded' || event.type === 'reasoningAdded';
}
