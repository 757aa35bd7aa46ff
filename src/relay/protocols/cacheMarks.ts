import type { Message, ModelRequest, Protocol, Usage } from '../messages.ts';

/** Consecutive requests without cache hits, until marking stops. */
const mostMisses = 3;
/** Vendors cache for five minutes; later requests rightly miss. */
const cachedForMs = 4 * 60_000;
/** No vendor caches shorter prompts. */
const shortestPrompt = 2048;

/** Only Claude needs marks; others cache by themselves, strict vendors refuse marks, lenient ones lose their cache. */
export class CacheMarks {
  private readonly asked = new Map<string, { atMs: number; misses: number }>();

  constructor(private readonly now: () => number) {}

  /** Anthropic's own protocol supports marks for any model name. */
  isFor(model: string, protocol: Protocol): boolean {
    return protocol === 'messages' || (protocol === 'chat-completions' && isClaude(model));
  }

  /** Records the answer to a marked request; false after too many misses. Missing cache counts count as hits. */
  isWorthwhile({ model, messages }: ModelRequest, { promptTokens = 0, cachedTokens }: Usage = {}): boolean {
    const before = this.asked.get(model);
    const couldHit =
      before !== undefined &&
      this.now() - before.atMs < cachedForMs &&
      promptTokens >= shortestPrompt &&
      messages.some(({ role }) => role === 'assistant');
    const isMiss = couldHit && cachedTokens === 0;
    const misses = isMiss ? before.misses + 1 : cachedTokens ? 0 : (before?.misses ?? 0);
    this.asked.set(model, { atMs: this.now(), misses });
    return misses < mostMisses;
  }
}

/** Uses three of the four allowed marks. LiteLLM refuses marks on results, OpenRouter accepts them. */
export function markedMessages(
  messages: readonly Message[],
  marksResults: boolean,
  mayMark: (answer: Message & { role: 'assistant' }) => boolean = () => true,
): ReadonlySet<number> {
  const places = [
    messages.findIndex(({ role }) => role === 'system'),
    messages.findLastIndex(({ role }) => role === 'user'),
    messages.findLastIndex(
      (message) => message.role === 'assistant' && message.content !== '' && mayMark(message),
    ),
    marksResults ? messages.findLastIndex(({ role }) => role === 'tool') : -1,
  ];
  return new Set(places.filter((place) => place >= 0));
}

export const cacheMark = { cache_control: { type: 'ephemeral' } };

function isClaude(model: string): boolean {
  return /(?:^|[^a-z])claude/i.test(model);
}
