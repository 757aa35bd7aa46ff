import type { ChatEvent } from './events.ts';

/** Where conversations are stored: one append-only file each. */
export interface ChatStore {
  /** Queues an event behind those before it; never throws, failures are told to the user by the store. */
  append(chatId: string, event: ChatEvent): void;
  /** All events of a chat, or undefined when there is no such chat. Broken lines are left out. Throws when it cannot be read. */
  load(chatId: string): Promise<ChatEvent[] | undefined>;
  /** Resolves when all that was appended is on disk. */
  flush(): Promise<void>;
}
