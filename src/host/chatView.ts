import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { AttachmentSource } from '../chat/attachments/attachment.ts';
import { createChatHtml, type ChatHtml } from './chatHtml.ts';
import type { FoundPlace } from '../panel/navigationController.ts';
import type { HostPanel, PanelWebview } from './createPanel.ts';
import { viewId } from './ids.ts';

/**
 * Shows the panel's page and gives the panel a channel to it. The page is thrown away when hidden: the host holds
 * all it shows.
 */
export class ChatView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private badge: vscode.ViewBadge | undefined;
  private readonly visibility = new Emitter<void>();
  readonly onDidChangeVisibility = this.visibility.event;
  private readonly html: ChatHtml;

  constructor(
    /** Loaded when the view is first opened. */
    private readonly panel: () => Promise<HostPanel>,
    private readonly pageRoot: vscode.Uri,
    /** What the message box holds, where one is expected. */
    private readonly draft: () => string | undefined,
    /** Done when it is known what is connected. */
    private readonly connected: Promise<unknown>,
    /** Opens the conversation that is shown at first. */
    private readonly reopen: () => Promise<unknown>,
  ) {
    this.html = createChatHtml(pageRoot);
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    this.view = view;
    view.badge = this.badge;
    const parts = new DisposableStore();
    view.onDidDispose(() => {
      parts.dispose();
      if (this.view === view) this.view = undefined;
      this.visibility.fire();
    });
    const { webview } = view;
    const setHtml = async () => {
      const html = await this.html(webview, this.draft());
      if (this.view === view) webview.html = html;
    };
    parts.add(
      view.onDidChangeVisibility(() => {
        this.visibility.fire();
        // When it is shown again, the editor makes it of what it was given last.
        if (!view.visible) void setHtml();
      }),
    );
    webview.options = { enableScripts: true, localResourceRoots: [this.pageRoot] };
    const messages = parts.add(new EarlyMessages(webview));
    // At once, so that the panel is never blank: it has its message box, or says that it loads, until the host tells it more.
    await setHtml();
    // Which may take longer than all the rest.
    const opening = this.reopen();
    const [panel] = await Promise.all([this.panel(), this.connected]);
    // It may have been closed meanwhile.
    if (this.view === view) parts.add(panel.attach(messages, opening));
  }

  /** Brings the panel to the front with the model picker open. */
  async openModelPicker(): Promise<void> {
    await this.show();
    (await this.panel()).openModelPicker();
  }

  /** Brings the panel to the front with the list of modes open. */
  async openModes(): Promise<void> {
    await this.show();
    (await this.panel()).openModes();
  }

  /** Brings an item of the conversation that is shown into view, with a text that was found in it. */
  async reveal(place: FoundPlace): Promise<void> {
    (await this.panel()).reveal(place);
  }

  get isVisible(): boolean {
    return this.view?.visible ?? false;
  }

  /** Shows a number on the view, or none. */
  setBadge(badge: vscode.ViewBadge | undefined): void {
    this.badge = badge;
    if (!this.view) return;
    // VS Code 1.106 leaves a badge that is taken away where it is; for 0 it shows none.
    if (!badge) this.view.badge = { value: 0, tooltip: '' };
    this.view.badge = badge;
  }

  /** Adds to what goes with the next message. */
  async addAttachments(sources: readonly AttachmentSource[]): Promise<void> {
    (await this.panel()).addAttachments(sources);
  }

  /** Sends a message with what it is about; false if it stays in the message box. */
  async ask(text: string, sources: readonly AttachmentSource[]): Promise<boolean> {
    const [panel] = await Promise.all([this.panel(), this.connected]);
    return panel.ask(text, sources);
  }

  /** Brings the panel to the front with the caret in the message box. */
  async show(): Promise<boolean> {
    await vscode.commands.executeCommand(`${viewId}.focus`);
    (await this.panel()).focusMessageBox();
    return this.view?.visible ?? false;
  }
}

/** A webview whose messages wait for the one who reads them: the page may be ready before the host is. */
class EarlyMessages implements PanelWebview {
  private readonly received = new vscode.EventEmitter<unknown>();
  private readonly disposables = new DisposableStore();
  private early: unknown[] | undefined = [];

  constructor(private readonly webview: vscode.Webview) {
    this.disposables.add(this.received);
    this.disposables.add(
      webview.onDidReceiveMessage((message: unknown) => {
        if (this.early) this.early.push(message);
        else this.received.fire(message);
      }),
    );
  }

  postMessage(message: unknown): Thenable<boolean> {
    return this.webview.postMessage(message);
  }

  onDidReceiveMessage(receive: (message: unknown) => void): Disposable {
    const subscription = this.received.event(receive);
    // Not before the reader is done with beginning to listen.
    queueMicrotask(() => {
      const { early = [] } = this;
      this.early = undefined;
      for (const message of early) this.received.fire(message);
    });
    return subscription;
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
