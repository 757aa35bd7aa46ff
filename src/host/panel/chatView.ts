import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { AttachmentSource } from '../../chat/attachments/attachment.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { FilledQuestion, FormQuestion } from '../../panel/apps/askedForms.ts';
import type { FoundPlace } from '../../panel/navigationController.ts';
import { type PageFiles, pageHtml } from '../../panel/pageHtml.ts';
import type { HostPanel, PanelWebview } from './createPanel.ts';
import { viewId } from '../ids.ts';
import type { Sights } from '../../chat/session/unseenTurns.ts';

/** Shows the panel's page. The editor discards a hidden page; the host keeps all state. */
export class ChatView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private badge: vscode.ViewBadge | undefined;
  private readonly visibility = new Emitter<void>();
  readonly onDidChangeVisibility = this.visibility.event;
  private readonly html: ChatHtml;

  constructor(
    private readonly panel: () => Promise<HostPanel>,
    private readonly pageRoot: vscode.Uri,
    private readonly draft: () => string | undefined,
    private readonly connected: Promise<unknown>,
    private readonly reopen: () => Promise<unknown>,
  ) {
    this.html = createChatHtml(pageRoot);
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    this.view = view;
    this.visibility.fire();
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
        // The editor recreates the page from the last HTML.
        if (!view.visible) void setHtml();
      }),
    );
    webview.options = { enableScripts: true, localResourceRoots: [this.pageRoot] };
    const messages = parts.add(new EarlyMessages(webview));
    // Set before loading, so that the panel isn't blank.
    await setHtml();
    // Started first, as it may take longest.
    const opening = this.reopen();
    const [panel] = await Promise.all([this.panel(), this.connected]);
    // The view may have been closed.
    if (this.view === view) parts.add(panel.attach(messages, opening));
  }

  async openModelPicker(): Promise<void> {
    await this.show();
    (await this.panel()).controller.openModelPicker();
  }

  async openModes(): Promise<void> {
    await this.show();
    (await this.panel()).controller.openModes();
  }

  async askForm(question: FormQuestion): Promise<FilledQuestion | undefined> {
    await this.show();
    return (await this.panel()).apps.ask(question);
  }

  async reveal(place: FoundPlace): Promise<void> {
    (await this.panel()).controller.reveal(place);
  }

  async answerByKey(decision: 'allow' | 'deny'): Promise<void> {
    (await this.panel()).controller.post({ type: 'answerKeyPressed', decision });
  }

  get isVisible(): boolean {
    return this.view?.visible ?? false;
  }

  setBadge(badge: vscode.ViewBadge | undefined): void {
    this.badge = badge;
    if (!this.view) return;
    // VS Code 1.106 keeps a removed badge, but shows none for 0.
    if (!badge) this.view.badge = { value: 0, tooltip: '' };
    this.view.badge = badge;
  }

  async addAttachments(sources: readonly AttachmentSource[]): Promise<void> {
    (await this.panel()).attachments.add(sources);
  }

  /** Sends a message with attachments; false if it stays in the message box. */
  async ask(...request: Parameters<HostPanel['controller']['ask']>): Promise<boolean> {
    const [panel] = await Promise.all([this.panel(), this.connected]);
    return panel.controller.ask(...request);
  }

  async show(): Promise<boolean> {
    await vscode.commands.executeCommand(`${viewId}.focus`);
    (await this.panel()).controller.focusMessageBox();
    return this.view?.visible ?? false;
  }
}

export function createSights(chat: ChatController, view: ChatView): Sights & Disposable {
  const parts = new DisposableStore();
  const changes = new Emitter<void>();
  parts.add(view.onDidChangeVisibility(() => changes.fire()));
  parts.add(vscode.window.onDidChangeWindowState(() => changes.fire()));
  parts.add(chat.onDidChange(({ type }) => type === 'chatOpened' && changes.fire()));
  return {
    of(conversationId) {
      if (!view.isVisible || conversationId !== chat.shown.conversation.id) return 'hidden';
      return vscode.window.state.focused ? 'seen' : 'background';
    },
    onDidChange: changes.event,
    dispose: () => parts.dispose(),
  };
}

/** Queues messages of the page until the host listens. */
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
    // After the caller has finished subscribing.
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

type ChatHtml = (webview: vscode.Webview, draft: string | undefined) => Promise<string>;

function createChatHtml(pageRoot: vscode.Uri): ChatHtml {
  const files = lazy(() => readPageFiles(pageRoot.fsPath));
  return async (webview, draft) =>
    pageHtml({
      ...(await files()),
      folder: webview.asWebviewUri(pageRoot).toString(),
      source: webview.cspSource,
      language: vscode.env.language,
      texts: vscode.l10n.bundle ?? {},
      draft,
    });
}

async function readPageFiles(folder: string): Promise<PageFiles> {
  const [, language = ''] = /bundle\.l10n(\..+)\.json$/.exec(vscode.l10n.uri?.path ?? '') ?? [];
  const [styles, shell] = await Promise.all(
    ['style.css', `shell${language}.html`].map((name) => readFile(join(folder, name), 'utf8')),
  );
  return { styles: styles ?? '', shell: shell ?? '' };
}
