import { createHash } from 'node:crypto';
import { frame } from '../../base/frame.ts';
import type { Message } from '../../relay/messages.ts';

/** A conversation of an app on the platform. */
export interface AppTalk {
  conversationId: string;
  /** What it has sent with each message. */
  inputs?: Readonly<Record<string, unknown>>;
}

/** What is asked of an app for a request. */
export interface AppQuestionText {
  query: string;
  /** Goes on with this one. */
  talk?: AppTalk;
}

const mostRemembered = 100;

/**
 * An app keeps its conversations on the platform, while the editor sends all that was said with each request. What was
 * said in a conversation here is known again by its content, so that only the newest words are sent; what was not is put
 * before them.
 */
export class AppTalks {
  private readonly talks = new Map<string, AppTalk>();

  question(appId: string, messages: readonly Message[]): AppQuestionText {
    const last = messages.at(-1);
    const newest = last?.role === 'user' ? last.content : '';
    const before = last?.role === 'user' ? messages.slice(0, -1) : messages;
    const talk = this.talks.get(keyOf(appId, before));
    if (talk) return { query: newest, talk };
    const body = before
      .filter(({ content }) => content !== '')
      .map(({ role, content }) => `${role}: ${content}`)
      .join('\n\n');
    return {
      query: [...(body ? [frame({ kind: 'conversation', facts: {}, body })] : []), newest].join('\n\n'),
    };
  }

  answered(appId: string, messages: readonly Message[], answer: string, talk: AppTalk): void {
    const said: Message = { role: 'assistant', model: '', content: answer };
    this.talks.set(keyOf(appId, [...messages, said]), talk);
    const [oldest] = this.talks.keys();
    if (this.talks.size > mostRemembered && oldest !== undefined) this.talks.delete(oldest);
  }
}

function keyOf(appId: string, messages: readonly Message[]): string {
  const said = messages.map(({ role, content }) => [role, content]);
  return createHash('sha256')
    .update(JSON.stringify([appId, said]))
    .digest('base64');
}
