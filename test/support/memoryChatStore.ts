import type { Disposable } from '../../src/base/disposable.ts';
import type { ChatStore, News, SavedEnd } from '../../src/chat/store/chatStore.ts';
import type { ChatEvent } from '../../src/chat/store/events.ts';

/** Keeps chats as JSON, like a file. */
export class MemoryChatStore implements ChatStore {
  readonly lines = new Map<string, string[]>();

  append(chatId: string, event: ChatEvent): void {
    this.lines.set(chatId, [...(this.lines.get(chatId) ?? []), JSON.stringify(event)]);
  }

  async load(chatId: string): Promise<ChatEvent[] | undefined> {
    return this.lines.get(chatId)?.map((line) => JSON.parse(line) as ChatEvent);
  }

  async loadEnd(chatId: string): Promise<SavedEnd | undefined> {
    const events = await this.load(chatId);
    return events && { events };
  }

  async newsOf(): Promise<News> {
    return { events: [], isMixed: false };
  }

  beginTurn() {
    return { release: async () => {} };
  }

  isRunningElsewhere(): boolean {
    return false;
  }

  watch(): Disposable {
    return { dispose() {} };
  }

  async flush(): Promise<void> {}
}
