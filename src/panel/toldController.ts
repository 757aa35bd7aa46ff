import * as l10n from '@vscode/l10n';
import type { Disposable } from '../base/disposable.ts';
import { memoize } from '../base/async/lazy.ts';
import type { AttachmentSource } from '../chat/attachments/attachment.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { SentInstructions } from '../chat/instructions/sentInstructions.ts';
import type { RequestText } from '../chat/prompt/describeRequest.ts';
import { estimateTokens } from '../chat/context/tokenEstimate.ts';
import { formatCompact } from '../base/text/formatUsage.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { ToldChip, ToldCommand } from '../shared/context.ts';
import type { CommandHandlers } from './commandHandlers.ts';

export interface ActiveEditor {
  path: string;
  /** 1-based lines of the selection. */
  lines?: { first: number; last: number };
}

export interface ToldHost {
  activeEditor(): ActiveEditor | undefined;
  isActiveEditorOn: boolean;
  instructionsOff: readonly string[];
  onDidChangeActiveEditor(listener: () => void): Disposable;
  attachActiveEditor(): void;
  sourcesToAttach(): readonly AttachmentSource[];
  showRequest(request: RequestText): Promise<void>;
}

export class ToldController implements Disposable {
  private post: PostToPage = () => {};
  private readonly listening: Disposable;
  private shown = '[]';
  /** Sizes by file; an instruction file that is switched on again goes with the next message. */
  private seen = { chatId: '', files: new Map<string, string | undefined>() };
  private expected: { chatId: string; files: readonly SentInstructions[] } = { chatId: '', files: [] };

  /** Cached sizes: the files stay the same in a conversation, while the selection changes with each key. */
  private readonly sizesOf = memoize((files: readonly SentInstructions[]) =>
    files.map(({ path, text }) => [path, tokensOf(estimateTokens(text))] as const),
  );

  constructor(
    private readonly chat: ChatController,
    private readonly host: ToldHost,
  ) {
    this.listening = host.onDidChangeActiveEditor(() => this.show());
  }

  listen(post: PostToPage): void {
    this.post = post;
  }

  dispose(): void {
    this.listening.dispose();
  }

  begin(): void {
    this.shown = '[]';
    this.show();
  }

  /** Reads instruction files when the user starts typing, so they can be switched off before they are sent. */
  async onTyping(): Promise<void> {
    const { id, instructionsRead, all } = this.chat.shown.conversation;
    if (instructionsRead || all.length > 0 || this.expected.chatId === id) return;
    this.expected = { chatId: id, files: [] };
    const files = await this.chat.projectInstructions();
    if (this.expected.chatId !== id) return;
    this.expected = { chatId: id, files };
    this.show();
  }

  show(): void {
    const told = this.chips();
    const text = JSON.stringify(told);
    if (text === this.shown) return;
    this.shown = text;
    this.post({ type: 'toldChanged', told });
  }

  /** Active editor content for the next message by setting. `attached`: all attachments, refused ones included. */
  sourcesToAttach(attached: readonly AttachmentSource[]): readonly AttachmentSource[] {
    if (!this.host.isActiveEditorOn) return [];
    const known = new Set(attached.map((source) => JSON.stringify(source)));
    return this.host.sourcesToAttach().filter((source) => !known.has(JSON.stringify(source)));
  }

  readonly commands: CommandHandlers<ToldCommand> = {
    switchTold: ({ id, isOn }) => this.switch(id, isOn),
    attachActiveEditor: () => this.host.attachActiveEditor(),
    showSent: async ({ id }) => {
      const request = await (await this.chat.shown.report()).describeRequest(id);
      if (request) await this.host.showRequest(request);
    },
  };

  private switch(id: string, isOn: boolean): void {
    const { host } = this;
    if (id === activeEditorId) host.isActiveEditorOn = isOn;
    else {
      const others = host.instructionsOff.filter((path) => path !== id);
      host.instructionsOff = isOn ? others : [...others, id];
    }
    this.show();
  }

  private chips(): ToldChip[] {
    const active = this.host.activeEditor();
    const off = this.host.instructionsOff;
    const { id, instructions, instructionsRead, attachedInstructions } = this.chat.shown.conversation;
    const isExpected = !instructionsRead && this.expected.chatId === id;
    if (this.seen.chatId !== id) this.seen = { chatId: id, files: new Map() };
    const read = this.seen.files;
    for (const [path, size] of this.sizesOf(isExpected ? this.expected.files : instructions))
      read.set(path, size);
    // A guess: text in other languages has more bytes per token.
    for (const { path, bytes } of attachedInstructions) read.set(path, tokensOf(Math.ceil(bytes / 4)));
    for (const path of off) if (!read.has(path)) read.set(path, undefined);
    return [
      ...(active ? [toEditorChip(active, this.host.isActiveEditorOn)] : []),
      ...[...read].map(([path, detail]): ToldChip => ({
        ...{ id: path, kind: 'instructions', label: labelOf(path), location: { path } },
        ...{ isOn: !off.includes(path), ...(detail && { detail }) },
      })),
    ];
  }
}

const activeEditorId = 'activeEditor';

function toEditorChip({ path, lines }: ActiveEditor, isOn: boolean): ToldChip {
  const detail =
    lines &&
    (lines.first === lines.last
      ? l10n.t('line {0}', lines.first)
      : l10n.t('lines {0}–{1}', lines.first, lines.last));
  return {
    ...{ id: activeEditorId, kind: 'activeEditor', label: path.slice(path.lastIndexOf('/') + 1), isOn },
    ...(detail && { detail }),
    location: { path, ...(lines && { line: lines.first, endLine: lines.last }) },
  };
}

function labelOf(path: string): string {
  return path.length <= longestLabel ? path : path.slice(path.lastIndexOf('/') + 1);
}

const longestLabel = 24;

function tokensOf(count: number): string {
  return l10n.t('about {0} tokens', formatCompact(count));
}
