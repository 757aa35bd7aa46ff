import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import type { PanelController } from '../panel/panelController.ts';
import { createChannel } from '../shared/channel.ts';
import { toHostSchema, type ToHost, type ToPage } from '../shared/protocol.ts';
import { chatHtml } from './chatHtml.ts';
import { viewId } from './ids.ts';

/**
 * Shows the panel's page and gives the panel a channel to it. The page is thrown away when hidden: the host holds
 * all it shows.
 */
export class ChatView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;

  constructor(
    private readonly panel: PanelController,
    private readonly pageRoot: vscode.Uri,
    /** Resolves when there is something true to show. */
    private readonly ready: Promise<unknown>,
    private readonly log: Log,
  ) {}

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    await this.ready;
    this.view = view;
    const { webview } = view;
    webview.options = { enableScripts: true, localResourceRoots: [this.pageRoot] };
    const store = new DisposableStore();
    const channel = createChannel<ToHost, ToPage>(
      toHostSchema,
      (message) => void webview.postMessage(message),
      (receive) => store.add(webview.onDidReceiveMessage(receive)),
      (reason) => this.log.warn(`The panel sent something that is not understood: ${reason}`),
    );
    store.add(this.panel.attach(channel));
    view.onDidDispose(() => {
      store.dispose();
      if (this.view === view) this.view = undefined;
    });
    webview.html = chatHtml(webview, this.pageRoot);
  }

  /** Brings the panel to the front with the caret in the message box. */
  async show(): Promise<boolean> {
    await vscode.commands.executeCommand(`${viewId}.focus`);
    this.panel.focusMessageBox();
    return this.view?.visible ?? false;
  }
}
