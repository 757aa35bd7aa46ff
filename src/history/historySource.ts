import type { Disposable } from '../base/disposable.ts';
import type { Branch } from './branchesOf.ts';
import type { FoundChat } from './searchChats.ts';
import * as l10n from '@vscode/l10n';

export interface HistoryEntry {
  id: string;
  /** For platform conversations: the id of the local copy, if any. */
  chatId?: string;
  title: string;
  isTitlePoor?: boolean;
  by?: string;
  isByApp?: boolean;
  isPinned?: boolean;
  folder?: string;
  updatedAtMs?: number;
  readonly isOpen?: boolean;
  /** State of its running turn, or an unseen outcome; such conversations come first. */
  readonly activity?: 'running' | 'asking' | 'failed' | 'done' | undefined;
  afterDeleting?: string;
  /** False if it no longer exists. */
  open(): Promise<boolean>;
  /** Shows the match once opened. Rejects if its branch can't be shown. */
  reveal?(found: FoundText): Promise<void>;
  rename?(title: string): Promise<void>;
  pin?(isPinned: boolean): Promise<void>;
  delete(): Promise<void>;
  /** Undoes `delete`; false if too late. */
  restore?(): Promise<boolean>;
  branches?(branchId?: string): readonly Branch[];
  /** Shows a branch; false if the user cancels because of its file changes. */
  goTo?(branchId: string): Promise<boolean>;
}

export interface FoundText {
  text: string;
  itemId?: string | undefined;
}

export interface HistorySource {
  name: string;
  /** Newest first; `next` loads the following page. */
  load(signal: AbortSignal): Promise<HistoryPage>;
  search?(text: string, signal: AbortSignal): AsyncIterable<FoundChat>;
  onDidChange?(listener: () => void): Disposable;
  /** Previously loaded entries, without a request. Sources with a cache load on demand only. */
  cached?(): Promise<HistoryPage | undefined>;
}

export interface HistoryPage {
  entries: readonly HistoryEntry[];
  next?: (signal: AbortSignal) => Promise<HistoryPage>;
}

type Activity = NonNullable<HistoryEntry['activity']>;

export const activityIcons: Record<Activity, string> = {
  ...{ running: 'loading~spin', asking: 'bell' },
  ...{ failed: 'error', done: 'circle-filled' },
};

export function activityInWords(activity: Activity): string {
  switch (activity) {
    case 'running':
      return l10n.t('Running');
    case 'asking':
      return l10n.t('Needs approval');
    case 'failed':
      return l10n.t('Failed');
    case 'done':
      return l10n.t('New answer');
  }
}
