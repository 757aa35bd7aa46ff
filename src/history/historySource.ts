import type { Disposable } from '../base/disposable.ts';
import type { Branch } from './branches.ts';
import type { FoundChat } from './searchChats.ts';

/** A conversation that can be opened again. */
export interface HistoryEntry {
  id: string;
  /** Of a conversation of the platform: the chat in which it is saved here, if it is. */
  chatId?: string;
  title: string;
  /** The title is only made of what was attached to the first message. */
  isTitlePoor?: boolean;
  /** The model's or app's name. */
  by?: string;
  isByApp?: boolean;
  isPinned?: boolean;
  /** The name of the workspace folder it was begun in, where there are several. */
  folder?: string;
  /** Epoch milliseconds. */
  updatedAtMs?: number;
  readonly isOpen?: boolean;
  /** What its turn does by now, or how one ended that was not seen yet: such conversations are listed first. */
  readonly activity?: 'running' | 'asking' | 'failed' | 'done' | undefined;
  /** What becomes of it elsewhere when it is deleted. */
  afterDeleting?: string;
  /** False when it no longer exists. */
  open(): Promise<boolean>;
  /** Shows what was found in it, once it is open. Rejects while the branch that holds it cannot be gone to. */
  reveal?(found: FoundText): Promise<void>;
  rename?(title: string): Promise<void>;
  pin?(isPinned: boolean): Promise<void>;
  delete(): Promise<void>;
  /** Brings it back after `delete`; false when it is too late. */
  restore?(): Promise<boolean>;
  /** See `branchesOf`; known of the open one alone. */
  branches?(branchId?: string): readonly Branch[];
  /** Shows a branch; false if the user stays with the files of the one that is left. */
  goTo?(branchId: string): Promise<boolean>;
}

/** A text that was looked for, and the item in which it was found first, if it is one. */
export interface FoundText {
  text: string;
  itemId?: string | undefined;
}

/** Where conversations are stored: on this machine, or by one app of the platform. */
export interface HistorySource {
  name: string;
  /** A page, newest first; `next` gives the page after it, if there is one. */
  load(signal: AbortSignal): Promise<HistoryPage>;
  /** Entries in whose text something is found, as they are found. */
  search?(text: string, signal: AbortSignal): AsyncIterable<FoundChat>;
  /** The activity of an entry changed. */
  onDidChange?(listener: () => void): Disposable;
  /**
   * What was loaded before, without asking anybody. A source that has this is only loaded when the user wants it: there
   * may be many, each on a server of its own.
   */
  cached?(): Promise<HistoryPage | undefined>;
}

export interface HistoryPage {
  entries: readonly HistoryEntry[];
  next?: (signal: AbortSignal) => Promise<HistoryPage>;
}
