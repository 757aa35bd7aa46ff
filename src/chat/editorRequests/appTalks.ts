import { createHash } from 'node:crypto';
import { frame } from '../../base/text/frame.ts';
import type { Message } from '../../relay/messages.ts';

export interface AppTalk {
  conversationId: string;
  inputs?: Readonly<Record<string, unknown>>;
}

export interface AppQuestionText {
  query: string;
  talk?: AppTalk;
}

const mostRemembered = 100;

/** Recognises conversations by content, since apps keep their history while the editor resends all of it. */
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
