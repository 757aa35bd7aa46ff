import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { NewNotice, PanelNotices } from '../../panel/panelNotices.ts';

interface Panel {
  notices: Pick<PanelNotices, 'show' | 'showProgress'>;
  view: { readonly isVisible: boolean; onDidChangeVisibility(listener: () => void): Disposable };
}

/** About as long as the editor shows a notification. */
const toastMs = 15_000;

/** Tells the user something: in the panel while that is visible, as a toast would cover its box. */
export class Notifications {
  panel?: Panel;

  constructor(readonly log: Log) {}

  /** Returns the pressed button. */
  async notify(notice: NewNotice): Promise<string | undefined> {
    if (!this.panel) return notifyInEditor(notice);
    const { notices, view } = this.panel;
    return view.isVisible ? notices.show(notice) : notifyUntilShown(notice, notices, view);
  }

  information(text: string, ...actions: string[]): Promise<string | undefined> {
    return this.notify({ severity: 'information', text, actions });
  }

  warning(text: string, ...actions: string[]): Promise<string | undefined> {
    return this.notify({ severity: 'warning', text, actions });
  }

  error(text: string, ...actions: string[]): Promise<string | undefined> {
    return this.notify({ severity: 'error', text, actions });
  }
}

/** Moves a notification into the panel when that opens below it. Both can be answered. */
async function notifyUntilShown(
  notice: NewNotice,
  notices: Panel['notices'],
  view: Panel['view'],
): Promise<string | undefined> {
  const untilMs = Date.now() + toastMs;
  const moved = new AbortController();
  const inPanel = Promise.withResolvers<string | undefined>();
  const listening = view.onDidChangeVisibility(() => {
    if (!view.isVisible) return;
    listening.dispose();
    if (Date.now() > untilMs || notice.signal?.aborted) return;
    moved.abort();
    inPanel.resolve(notices.show(notice));
  });
  const signal = notice.signal ? AbortSignal.any([notice.signal, moved.signal]) : moved.signal;
  const inEditor = notifyInEditor({ ...notice, signal }).finally(() => listening.dispose());
  return Promise.race([
    inEditor.then((action) => action ?? (moved.signal.aborted ? inPanel.promise : undefined)),
    inPanel.promise.then((action) => action ?? inEditor),
  ]);
}

/** Notifies in the editor. An aborted one moves to the notification center, since extensions can't close it. */
export async function notifyInEditor({
  severity,
  text,
  actions = [],
  signal,
}: NewNotice): Promise<string | undefined> {
  const show = {
    information: vscode.window.showInformationMessage,
    warning: vscode.window.showWarningMessage,
    error: vscode.window.showErrorMessage,
  }[severity];
  const hide = () => void vscode.commands.executeCommand('notifications.hideToasts');
  signal?.addEventListener('abort', hide, { once: true });
  try {
    return await show(text, ...actions);
  } finally {
    signal?.removeEventListener('abort', hide);
  }
}
