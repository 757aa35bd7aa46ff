import { Emitter } from '../base/emitter.ts';
import type { PanelNotice } from '../shared/protocol.ts';

export interface NewNotice extends Pick<PanelNotice, 'severity' | 'text'> {
  /** Labels of buttons. */
  actions?: readonly string[];
  /** Withdraws it. */
  signal?: AbortSignal | undefined;
}

/** What says how far something is. */
export interface ShownProgress {
  report(text: string): void;
  withdraw(): void;
}

/** A panel that is 225 px wide has no room for more above its message box. */
const mostShown = 3;

/**
 * What the panel says above its message box instead of a notification of the editor, the newest last. It is held here,
 * so that it outlives the page.
 */
export class PanelNotices {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly shown = new Map<string, { notice: PanelNotice; settle: (action?: string) => void }>();
  private lastId = 0;

  get all(): PanelNotice[] {
    return [...this.shown.values()].map(({ notice }) => notice);
  }

  /** Resolves with the label of the button that was pressed, or with undefined when the notice is gone without it. */
  show({ severity, text, actions = [], signal }: NewNotice): Promise<string | undefined> {
    const same = this.all.find((notice) => notice.text === text && notice.severity === severity);
    if (same) this.remove(same.id);
    this.makeRoom();
    const id = String(++this.lastId);
    return new Promise((resolve) => {
      this.shown.set(id, { notice: { id, severity, text, actions: [...actions] }, settle: resolve });
      signal?.addEventListener('abort', () => this.answer(id), { once: true });
      this.changes.fire();
    });
  }

  /**
   * Says how far something is, until it is withdrawn.
   * @param action the label of the button that cancels it
   */
  showProgress(text: string, action: string, cancel: () => void): ShownProgress {
    this.makeRoom();
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

  /** @param action the button that was pressed; without one it is dismissed */
  answer(id: string, action?: string): void {
    const known = this.shown.get(id)?.notice.actions.find((each) => each === action);
    if (this.remove(id, known)) this.changes.fire();
  }

  /** The user goes on with something else. What asks for a decision about something that went wrong stays. */
  clear(): void {
    const passing = this.all.filter(
      ({ severity, actions, isProgress }) =>
        !isProgress && (severity === 'information' || actions.length === 0),
    );
    for (const { id } of passing) this.remove(id);
    if (passing.length > 0) this.changes.fire();
  }

  private makeRoom(): void {
    if (this.shown.size < mostShown) return;
    const { id } = this.all.find(({ isProgress }) => !isProgress) ?? {};
    if (id !== undefined) this.remove(id);
  }

  private remove(id: string, action?: string): boolean {
    this.shown.get(id)?.settle(action);
    return this.shown.delete(id);
  }
}
