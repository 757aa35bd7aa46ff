import type { Disposable } from '../../base/disposable.ts';
import type { ChatEvent } from './events.ts';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';

export interface ChatStore {
  /** Queues an event; never throws, since the store reports failures to the user. */
  append(chatId: string, event: ChatEvent): void;
  /** All events of a chat without broken lines; undefined if there is no such chat. Throws when it can't be read. */
  load(chatId: string): Promise<ChatEvent[] | undefined>;
  /** The newest self-contained events (see `ConversationEnd`). Throws when they can't be read. */
  loadEnd(chatId: string): Promise<SavedEnd | undefined>;
  /** Other windows' events since the chat was loaded or last asked for. Throws when unreadable or deleted elsewhere. */
  newsOf(chatId: string): Promise<News>;
  /** Held while a turn runs; undefined if another window runs one. Throws when the chat was deleted elsewhere. */
  beginTurn(chatId: string): TurnLock | undefined;
  isRunningElsewhere(chatId: string): boolean;
  /** Reports possible news of a chat. Never throws: without a file watcher, nothing is reported. */
  watch(chatId: string, onChange: () => void): Disposable;
  flush(): Promise<void>;
}

export interface SavedEnd {
  events: ChatEvent[];
  earlier?: (() => Promise<ChatEvent[]>) | undefined;
  /** True if the display needs the earlier part, or loading it is cheap. */
  isEarlierWanted?: boolean;
}

export interface TurnLock {
  release(): Promise<void>;
}

export interface News {
  events: readonly ChatEvent[];
  /** True if our events were written in between, so only the file has the order. */
  isMixed: boolean;
}

export function runningElsewhere(): SwitchboardError {
  return new SwitchboardError('conflict', l10n.t('This conversation is running in another window.'));
}
