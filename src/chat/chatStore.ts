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
  /** What other windows have added to a chat since it was loaded, or since this was asked last. Throws when it cannot be read. */
  newsOf(chatId: string): Promise<News>;
  /** Taken for as long as a turn runs; undefined while one runs in another window. */
  beginTurn(chatId: string): Promise<{ release(): Promise<void> } | undefined>;
  isRunningElsewhere(chatId: string): Promise<boolean>;
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

/** Events; `mixed` where what was written here came between them, so that all has to be loaded again. */
export type News = readonly ChatEvent[] | 'mixed' | 'deleted';
