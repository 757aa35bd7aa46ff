import { assertNever } from '../base/assertNever.ts';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../base/disposable.ts';
import { memoize } from '../base/memoize.ts';
import type { AttachmentSource } from '../chat/attachments/attachment.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { SentInstructions } from '../chat/instructions/sentInstructions.ts';
import { estimateTokens } from '../chat/context/tokenEstimate.ts';
import { formatCompact } from '../base/format.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { ToldChip, ToldCommand } from '../shared/told.ts';

/** The file in the active editor, as models are told of it. */
export interface ActiveEditor {
  path: string;
  /** What is selected, counted from 1. */
  lines?: { first: number; last: number };
}

/** What the editor remembers of it, and does for it. */
export interface ToldHost {
  /** Undefined where there is none, or `chat.activeEditor` keeps it out. */
  activeEditor(): ActiveEditor | undefined;
  /** Whether models are told of the active editor. */
  isActiveEditorOn: boolean;
  /** Paths of instruction files that are switched off. */
  instructionsOff: readonly string[];
  onDidChangeActiveEditor(listener: () => void): Disposable;
  attachActiveEditor(): void;
  /** What goes with each message by itself, as `chat.activeEditor` has it. */
  sourcesToAttach(): readonly AttachmentSource[];
  /** Opens a text to be read. */
  showSent(text: string): Promise<void>;
}

/** The panel's half of what models are told beside the conversation. */
export class ToldController implements Disposable {
  private post: PostToPage = () => {};
  private readonly listening: Disposable;
  private shown = '[]';
  /** Instruction files of the conversation with their sizes: one that is taken in again is sent with the next message. */
  private seen = { chatId: '', files: new Map<string, string | undefined>() };
  /** What the first message of a conversation is going to take along. */
  private expected: { chatId: string; files: readonly SentInstructions[] } = { chatId: '', files: [] };

  /** They stay the same for the whole conversation, while the selection in an editor changes with each key. */
  private readonly sizesOf = memoize((files: readonly SentInstructions[]) =>
    files.map(({ path, text }) => [path, tokensOf(estimateTokens(text))] as const),
  );

  constructor(
    private readonly chat: ChatController,
    private readonly host: ToldHost,
  ) {
    this.listening = host.onDidChangeActiveEditor(() => this.show());
  }

  /** Who hears of changes from now on. */
  listen(post: PostToPage): void {
    this.post = post;
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** A page that has just come shows nothing yet. */
  begin(): void {
    this.shown = '[]';
    this.show();
  }

  /** The user is about to say something: what goes along for the first time is seen, and can be left out, before it goes. */
  async onTyping(): Promise<void> {
    const { id, instructionsRead, all } = this.chat.conversation;
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

  /**
   * Content of the active editor that goes with the next message unasked.
   * @param attached what goes along already, also if nothing of it can be sent
   */
  sourcesToAttach(attached: readonly AttachmentSource[]): readonly AttachmentSource[] {
    if (!this.host.isActiveEditorOn) return [];
    const known = new Set(attached.map((source) => JSON.stringify(source)));
    return this.host.sourcesToAttach().filter((source) => !known.has(JSON.stringify(source)));
  }

  async onMessage(command: ToldCommand): Promise<void> {
    switch (command.type) {
      case 'switchTold':
        return this.switch(command.id, command.isOn);
      case 'attachActiveEditor':
        return this.host.attachActiveEditor();
      case 'showSent': {
        const text = await this.chat.describeRequest(command.id);
        if (text !== undefined) await this.host.showSent(text);
        return;
      }
      default:
        return assertNever(command);
    }
  }

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
    const { id, instructions, instructionsRead, attachedInstructions } = this.chat.conversation;
    const isExpected = !instructionsRead && this.expected.chatId === id;
    if (this.seen.chatId !== id) this.seen = { chatId: id, files: new Map() };
    const read = this.seen.files;
    for (const [path, size] of this.sizesOf(isExpected ? this.expected.files : instructions))
      read.set(path, size);
    // Text of other languages than English has more bytes, so this is a guess.
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

/** The folder says which of several it is, as long as there is room for it. */
function labelOf(path: string): string {
  return path.length <= longestLabel ? path : path.slice(path.lastIndexOf('/') + 1);
}

const longestLabel = 24;

function tokensOf(count: number): string {
  return l10n.t('about {0} tokens', formatCompact(count));
}
