import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import type { AttachmentSource } from '../chat/attachments/attachment.ts';
import { chatHtml } from './chatHtml.ts';
import type { HostPanel } from './createPanel.ts';
import { viewId } from './ids.ts';

/**
 * Shows the panel's page and gives the panel a channel to it. The page is thrown away when hidden: the host holds
 * all it shows.
 */
export class ChatView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;

  constructor(
    /** Loaded when the view is first opened. */
    private readonly panel: () => Promise<HostPanel>,
    private readonly pageRoot: vscode.Uri,
    /** Resolves when there is something true to show. */
    private readonly ready: Promise<unknown>,
  ) {}

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    this.view = view;
    const parts = new DisposableStore();
    view.onDidDispose(() => {
      parts.dispose();
      if (this.view === view) this.view = undefined;
    });
    const [panel] = await Promise.all([this.panel(), this.ready]);
    // It may have been closed meanwhile.
    if (this.view !== view) return;
    const { webview } = view;
    webview.options = { enableScripts: true, localResourceRoots: [this.pageRoot] };
    parts.add(panel.attach(webview));
    webview.html = chatHtml(webview, this.pageRoot);
  }

  /** Brings the panel to the front with the model picker open. */
  async openModelPicker(): Promise<void> {
    await this.show();
    (await this.panel()).openModelPicker();
  }

  /** Adds to what goes with the next message. */
  async addAttachments(sources: readonly AttachmentSource[]): Promise<void> {
    (await this.panel()).addAttachments(sources);
  }

  /** Brings the panel to the front with the caret in the message box. */
  async show(): Promise<boolean> {
    await vscode.commands.executeCommand(`${viewId}.focus`);
    (await this.panel()).focusMessageBox();
    return this.view?.visible ?? false;
  }
}
