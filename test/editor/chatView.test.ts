import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ChatView } from '../../src/host/panel/chatView.ts';
import type { HostPanel } from '../../src/host/panel/createPanel.ts';
import { root } from '../host/paths.ts';
import { eventuallyEqual } from '../support/eventually.ts';

class View {
  visible = true;
  readonly badges: (number | undefined)[] = [];
  private readonly visibility = new vscode.EventEmitter<void>();
  readonly onDidChangeVisibility = this.visibility.event;
  readonly onDidDispose = new vscode.EventEmitter<void>().event;
  readonly webview = {
    html: '',
    cspSource: 'https://resources',
    asWebviewUri: (uri: vscode.Uri) => uri,
    onDidReceiveMessage: new vscode.EventEmitter<unknown>().event,
  };

  set badge(badge: vscode.ViewBadge | undefined) {
    this.badges.push(badge?.value);
  }

  show(visible: boolean): void {
    this.visible = visible;
    this.visibility.fire();
  }
}

const boxIn = (html: string) => /<textarea[^>]* aria-label="Message"[^>]*>\n(.*)<\/textarea>/.exec(html)?.[1];

describe('the view of the panel', () => {
  it('takes its badge away in editors that only know another', async () => {
    const view = new ChatView(
      async () => ({ attach: () => ({ dispose() {} }) }) as unknown as HostPanel,
      vscode.Uri.file(join(root, 'dist', 'page')),
      () => undefined,
      Promise.resolve(),
      async () => undefined,
    );
    const shown = new View();
    await view.resolveWebviewView(shown as unknown as vscode.WebviewView);
    view.setBadge({ value: 2, tooltip: '2 conversations are done' });
    view.setBadge(undefined);
    assert.deepEqual(shown.badges, [undefined, 2, 0, undefined]);
  });

  it('gives the editor the page with the draft, anew when it is hidden', async () => {
    let draft: string | undefined;
    const attached: unknown[] = [];
    const panel = { attach: (page: unknown) => (attached.push(page), { dispose() {} }) };
    const view = new ChatView(
      async () => panel as unknown as HostPanel,
      vscode.Uri.file(join(root, 'dist', 'page')),
      () => draft,
      Promise.resolve(),
      async () => undefined,
    );
    const shown = new View();
    const { webview } = shown;
    await view.resolveWebviewView(shown as unknown as vscode.WebviewView);
    assert.equal(attached.length, 1);
    assert.equal(boxIn(webview.html), undefined);
    draft = 'Is high';
    shown.show(false);
    await eventuallyEqual(() => boxIn(webview.html), 'Is high');
    draft = 'Is high tide';
    // Reloading would interrupt the user's typing.
    shown.show(true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(boxIn(webview.html), 'Is high');
  });
});
