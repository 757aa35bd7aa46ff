import type { SwitchboardError } from '../base/errors.ts';
import type { Message, ModelRequest, Usage } from './messages.ts';
import type { Protocol } from './protocol.ts';

/** Requests in a row of which the relay said that nothing came from the cache, before no more are marked. */
const mostMisses = 3;
/** Vendors keep what they cached for five minutes; a request that comes later finds nothing by right. */
const cachedForMs = 4 * 60_000;
/** Shorter beginnings are not cached by any vendor. */
const shortestPrompt = 2048;

/**
 * Whether a relay takes marks that say up to where to cache. Claude models cache nothing without them, and all others do
 * by themselves: to those they are never sent, since strict vendors refuse them and lenient ones lose their own cache.
 * Learnt again in each session.
 */
export class CacheMarks {
  private isRefused = false;
  /** By model: when it was last asked with marks, and what came of it. */
  private readonly asked = new Map<string, { atMs: number; misses: number }>();

  constructor(private readonly now: () => number) {}

  /** Whether a request is to be sent with marks. */
  isOn({ model }: ModelRequest, protocol: Protocol): boolean {
    // What is served by Anthropic's own protocol knows its marks.
    return (
      (protocol === 'messages' || isClaude(model)) &&
      !this.isRefused &&
      (this.asked.get(model)?.misses ?? 0) < mostMisses
    );
  }

  /** Whether the refusal of a marked request is about the marks, or the parts of content that carry them. */
  learn({ code, status, parameter = '', why = '' }: SwitchboardError): boolean {
    if (code !== 'request' || status === undefined) return false;
    const isAboutMarks =
      /cache_control/.test(`${parameter} ${why}`) || /^messages\b.*\bcontent\b/.test(parameter);
    this.isRefused ||= isAboutMarks;
    return isAboutMarks;
  }

  /** A marked request was answered. A relay that does not say what was cached is taken to do as it is told. */
  answered({ model, messages }: ModelRequest, { promptTokens = 0, cachedTokens }: Usage = {}): void {
    const before = this.asked.get(model);
    const couldHit =
      before !== undefined &&
      this.now() - before.atMs < cachedForMs &&
      promptTokens >= shortestPrompt &&
      messages.some(({ role }) => role === 'assistant');
    const isMiss = couldHit && cachedTokens === 0;
    const misses = isMiss ? before.misses + 1 : cachedTokens ? 0 : (before?.misses ?? 0);
    this.asked.set(model, { atMs: this.now(), misses });
  }
}

/**
 * Which messages get a mark: the system text, the newest message of the user and the newest text of the model; three of
 * the four that there may be. A mark on a result is refused by LiteLLM and taken by OpenRouter.
 */
export function markedMessages(messages: readonly Message[], marksResults: boolean): ReadonlySet<number> {
  const places = [
    messages.findIndex(({ role }) => role === 'system'),
    messages.findLastIndex(({ role }) => role === 'user'),
    messages.findLastIndex(({ role, content }) => role === 'assistant' && content !== ''),
    marksResults ? messages.findLastIndex(({ role }) => role === 'tool') : -1,
  ];
  return new Set(places.filter((place) => place >= 0));
}

export const cacheMark = { cache_control: { type: 'ephemeral' } };

function isClaude(model: string): boolean {
  return /(?:^|[^a-z])claude/i.test(model);
}
