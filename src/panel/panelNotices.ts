import * as l10n from '@vscode/l10n';
import { messageOf } from '../base/errors/errors.ts';
import { Emitter } from '../base/emitter.ts';
import type { PanelNotice } from '../shared/protocol.ts';

export interface NewNotice extends Pick<PanelNotice, 'severity' | 'text'> {
  actions?: readonly string[];
  isQuestion?: true;
  signal?: AbortSignal | undefined;
}

interface ShownNotice {
  notice: PanelNotice;
  isQuestion?: true | undefined;
  settle(action?: string): void;
}

export interface ShownProgress {
  report(text: string): void;
  withdraw(): void;
}

const mostKept = 3;

/** Notices above the message box, instead of notifications. They survive the page. */
export class PanelNotices {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly shown = new Map<string, ShownNotice>();
  private lastId = 0;

  /** The page shows the last: the oldest question, so that nothing takes its place under the pointer, or the newest. */
  get all(): PanelNotice[] {
    return [...this.news, ...this.only(true).toReversed()];
  }

  /** Resolves with the pressed button's label, or undefined when the notice goes away. */
  show({ severity, text, actions = [], isQuestion, signal }: NewNotice): Promise<string | undefined> {
    const id = String(++this.lastId);
    const notice = { id, severity, text, actions: [...actions] };
    if (!isQuestion) this.makeRoom(notice);
    return new Promise((resolve) => {
      this.shown.set(id, { notice, isQuestion, settle: resolve });
      signal?.addEventListener('abort', () => this.answer(id), { once: true });
      this.changes.fire();
    });
  }

  showProgress(text: string, action: string, cancel: () => void): ShownProgress {
    const id = String(++this.lastId);
    const settle = (pressed?: string) => {
      if (pressed === action) cancel();
    };
    const set = (shown: string) => {
      const notice = {
        id,
        severity: 'information' as const,
        text: shown,
        actions: [action],
        isProgress: true,
      };
      this.shown.set(id, { notice, settle });
      this.changes.fire();
    };
    set(text);
    return {
      report: (changed) => {
        const shown = this.shown.get(id);
        if (shown && shown.notice.text !== changed) set(changed);
      },
      withdraw: () => this.answer(id),
    };
  }

  answer(id: string, action?: string): void {
    const known = this.shown.get(id)?.notice.actions.find((each) => each === action);
    if (this.remove(id, known)) this.changes.fire();
  }

  /** Clears notices when the user moves on; errors that need a decision stay. */
  clear(): void {
    const passing = this.news.filter(isPassing);
    for (const { id } of passing) this.remove(id);
    if (passing.length > 0) this.changes.fire();
  }

  private get news(): PanelNotice[] {
    return this.only(false);
  }

  private only(questions: boolean): PanelNotice[] {
    const shown = [...this.shown.values()];
    return shown.filter(({ isQuestion = false }) => isQuestion === questions).map(({ notice }) => notice);
  }

  /** Informational notices replace each other but never hide an error. The same is said once. */
  private makeRoom(next: PanelNotice): void {
    const same = this.news.find(({ text, severity }) => text === next.text && severity === next.severity);
    if (same) this.remove(same.id);
    const others = this.news.filter((one) => !one.isProgress && isPassing(one) === isPassing(next));
    const replaced = isPassing(next)
      ? others.filter(({ severity }) => severity !== 'error' || next.severity === 'error')
      : others.slice(0, Math.max(0, others.length + 1 - mostKept));
    for (const { id } of replaced) this.remove(id);
  }

  private remove(id: string, action?: string): boolean {
    this.shown.get(id)?.settle(action);
    return this.shown.delete(id);
  }
}

function isPassing({ severity, actions, isProgress }: PanelNotice): boolean {
  return !isProgress && (severity === 'information' || actions.length === 0);
}

/** Waits for all reads of saved keys. A failure shows in the panel, which opens as if nothing were connected. */
export async function keysRead(
  readers: readonly Promise<unknown>[],
  notices: Pick<PanelNotices, 'show'>,
): Promise<void> {
  const outcomes = await Promise.allSettled(readers);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failed) return;
  const text = l10n.t("The saved keys couldn't be read: {0}", messageOf(failed.reason));
  void notices.show({ severity: 'error', text });
}
