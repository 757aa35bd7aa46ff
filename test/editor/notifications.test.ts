import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLog } from '../support/silentLog.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';
import { Emitter } from '../../src/base/emitter.ts';
import { PanelNotices } from '../../src/panel/panelNotices.ts';

describe('notifications', () => {
  const { showInformationMessage } = vscode.window;
  const { executeCommand } = vscode.commands;
  const window = vscode.window as { showInformationMessage: unknown };
  const commands = vscode.commands as { executeCommand: unknown };
  const notifications = new Notifications(silentLog);
  let notices: PanelNotices;
  let view: { isVisible: boolean; onDidChangeVisibility: Emitter<void>['event'] };
  let visibility: Emitter<void>;
  let toasts: { text: string; press(button?: string): void }[];
  let hidden: number;

  beforeEach(() => {
    notices = new PanelNotices();
    visibility = new Emitter<void>();
    view = { isVisible: false, onDidChangeVisibility: visibility.event };
    notifications.panel = { notices, view };
    [toasts, hidden] = [[], 0];
    window.showInformationMessage = (text: string) => new Promise((press) => toasts.push({ text, press }));
    commands.executeCommand = async (command: string) =>
      void (command === 'notifications.hideToasts' && hidden++);
  });
  afterEach(() => {
    window.showInformationMessage = showInformationMessage;
    commands.executeCommand = executeCommand;
  });
  const show = (isVisible: boolean) => {
    view.isVisible = isVisible;
    visibility.fire();
  };
  const texts = () => notices.all.map(({ text }) => text);
  const news = { severity: 'information' as const, text: 'Connected.', actions: ['Rename…'] };

  it('leave the message box alone when the panel is opened below one', async () => {
    const pressed = notifications.notify(news);
    assert.deepEqual([toasts.length, texts()], [1, []]);
    show(false);
    assert.deepEqual([hidden, texts()], [0, []]);
    show(true);
    assert.deepEqual([hidden, texts()], [1, ['Connected.']]);
    notices.answer(notices.all[0]?.id ?? '', 'Rename…');
    assert.equal(await pressed, 'Rename…');
  });

  it('are in the panel alone while that is visible', async () => {
    show(true);
    const pressed = notifications.notify(news);
    assert.deepEqual([toasts.length, texts()], [0, ['Connected.']]);
    notices.answer(notices.all[0]?.id ?? '', 'Rename…');
    assert.equal(await pressed, 'Rename…');
  });

  it('stay where they were answered', async () => {
    const pressed = notifications.notify(news);
    toasts[0]?.press('Rename…');
    assert.equal(await pressed, 'Rename…');
    show(true);
    assert.deepEqual([hidden, texts()], [0, []]);
  });

  it('can still be answered in the notification center when the one in the panel is gone', async () => {
    const pressed = notifications.notify(news);
    show(true);
    notices.answer(notices.all[0]?.id ?? '', undefined);
    toasts[0]?.press('Rename…');
    assert.equal(await pressed, 'Rename…');
  });

  it('stay where they are once what they ask is settled', async () => {
    const settled = new AbortController();
    const pressed = notifications.notify({ ...news, signal: settled.signal });
    settled.abort();
    show(true);
    assert.deepEqual(texts(), []);
    toasts[0]?.press('Rename…');
    assert.equal(await pressed, 'Rename…');
  });

  it('are no news long after', async () => {
    const { now } = Date;
    try {
      void notifications.notify(news);
      Date.now = () => now() + 60_000;
      show(true);
      assert.deepEqual([hidden, texts()], [0, []]);
    } finally {
      Date.now = now;
    }
  });
});
