import type { ModelEvent } from './messages.ts';

const mask = '***';

/**
 * Masks secrets in a text that comes in pieces. Of a piece, only an end that may be the beginning of a secret waits for
 * the next one. Finds secrets as they are, not in other forms: what a model writes is not to be changed by chance.
 */
class StreamedMask {
  private waiting = '';

  constructor(private readonly secrets: readonly string[]) {}

  add(piece: string): string {
    let text = this.waiting + piece;
    for (const secret of this.secrets) text = text.replaceAll(secret, mask);
    this.waiting = text.slice(this.startOfSecret(text));
    return text.slice(0, text.length - this.waiting.length);
  }

  end(): string {
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

/** An answer in which a server that repeats the user's secrets shows none of them. */
export async function* maskAnswer(
  batches: AsyncIterable<readonly ModelEvent[]>,
  known: readonly string[],
): AsyncGenerator<readonly ModelEvent[], void> {
  // Shorter ones are words that an answer may well have.
  const secrets = known.filter(({ length }) => length >= 8);
  if (secrets.length === 0) {
    yield* batches;
    return;
  }
  const masks = { textAdded: new StreamedMask(secrets), reasoningAdded: new StreamedMask(secrets) };
  const rest = (): ModelEvent[] =>
    (['reasoningAdded', 'textAdded'] as const).flatMap((type) => {
      const text = masks[type].end();
      return text ? [{ type, text }] : [];
    });
  const masked = (event: ModelEvent): ModelEvent[] => {
    switch (event.type) {
      case 'textAdded':
      case 'reasoningAdded': {
        const text = masks[event.type].add(event.text);
        return text ? [{ type: event.type, text }] : [];
      }
      case 'toolCallsCompleted': {
        const calls = event.calls.map((call) => ({
          ...call,
          arguments: secrets.reduce((text, secret) => text.replaceAll(secret, mask), call.arguments),
        }));
        return [...rest(), { ...event, calls }];
      }
      case 'modelFinished':
        return [...rest(), event];
      default:
        return [event];
    }
  };
  try {
    for await (const batch of batches) {
      const events = batch.flatMap(masked);
      if (events.length > 0) yield events;
    }
  } catch (error) {
    const events = rest();
    if (events.length > 0) yield events;
    throw error;
  }
}
