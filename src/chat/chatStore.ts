import type { Disposable } from '../base/disposable.ts';
import type { ChatEvent } from './events.ts';

/** Where conversations are stored: one append-only file each. */
export interface ChatStore {
  /** Queues an event behind those before it; never throws, failures are told to the user by the store. */
  append(chatId: string, event: ChatEvent): void;
  /** All events of a chat, or undefined when there is no such chat. Broken lines are left out. Throws when it cannot be read. */
  load(chatId: string): Promise<ChatEvent[] | undefined>;
  /**
   * The newest events of a chat, as many as stand by themselves (see `ConversationEnd`), or undefined when there is no such
   * chat. Throws when it cannot be read.
   */
  loadEnd(chatId: string): Promise<SavedEnd | undefined>;
  /**
   * What other windows have added to a chat since it was loaded, or since this was asked last. Throws when it cannot be read,
   * and when they have deleted it.
   */
  newsOf(chatId: string): Promise<News>;
  /**
   * Taken before anything of a turn is added, and for as long as it runs; undefined while one runs in another window. Throws
   * when another window has deleted the chat.
   */
  beginTurn(chatId: string): TurnLock | undefined;
  isRunningElsewhere(chatId: string): boolean;
  /** Tells when there may be news of a chat; never throws: where nothing can be watched, nothing is told. */
  watch(chatId: string, onChange: () => void): Disposable;
  /** Resolves when all that was appended is on disk. */
  flush(): Promise<void>;
}

/** The end of a saved conversation. */
export interface SavedEnd {
  events: ChatEvent[];
  /** Loads what is before it; absent where that is nothing. Throws when it cannot be read. */
  earlier?: (() => Promise<ChatEvent[]>) | undefined;
  /** What is before it is needed for what is shown, or little. */
  isEarlierWanted?: boolean;
}

export interface TurnLock {
  release(): Promise<void>;
}

export interface News {
  events: readonly ChatEvent[];
  /** What was written here came between them: their order is that of the file alone. */
  isMixed: boolean;
}
