import { randomUUID } from 'node:crypto';
import type { ChatController } from '../chatController.ts';
import { thisWindow } from '../session/windowMark.ts';
import type { ChatStore } from '../store/chatStore.ts';
import { EditJournal, type TextSnapshots } from '../../tools/edits/editJournal.ts';
import type { GrantedFile } from '../../tools/policy/verdict.ts';

export interface RecordDependencies {
  chat: Pick<ChatController, 'shown' | 'sessions' | 'record'>;
  store: Pick<ChatStore, 'flush'>;
  snapshots(conversationId: string): Promise<TextSnapshots>;
}

/** An inline edit in the conversation that is open when it begins, so that it can be reviewed and survives a crash. */
export class InlineEditRecord {
  private readonly id: string;
  private journal: Promise<EditJournal> | undefined;
  private isBegun = false;

  /** @param isText false if the file isn't the edited text, but contains it: such an edit can't be reviewed */
  constructor(
    private readonly deps: RecordDependencies,
    private readonly file: Pick<GrantedFile, 'shown' | 'realPath'>,
    private readonly instruction: string,
    private readonly isText: boolean,
  ) {
    this.id = deps.chat.shown.conversation.id;
  }

  /** To be awaited before the first change. Rejects if the old text can't be stored. */
  async begin(before: string): Promise<void> {
    if (!this.isText || this.isBegun) return;
    this.journal ??= this.openJournal();
    const journal = await this.journal;
    await journal.prepare({ before });
    await journal.begin({ ...this.place, before, after: undefined });
    this.isBegun = true;
  }

  /** @param before the text that *Undo* leads back to, with what the user typed elsewhere meanwhile */
  async prepare(before: string): Promise<void> {
    await (await this.journal)?.prepare({ before });
  }

  async made(before: string, after: string): Promise<void> {
    this.record({ type: 'noticed', id: randomUUID(), kind: 'inline-edit', detail: this.instruction });
    await (await this.journal)?.record({ ...this.place, before, after });
    this.isBegun = false;
  }

  notMade(): void {
    if (this.isBegun) this.record({ type: 'editNotMade', realPath: this.file.realPath });
    this.isBegun = false;
  }

  private get place() {
    return { path: this.file.shown, realPath: this.file.realPath };
  }

  private async openJournal(): Promise<EditJournal> {
    const { chat, store, snapshots } = this.deps;
    return new EditJournal(await snapshots(this.id), {
      begun: async ({ path, realPath, beforeHash }) => {
        const edit = { path, realPath, beforeHash, isInline: true, isUnfinished: true } as const;
        const inline = { instruction: this.instruction, window: thisWindow };
        this.record({ type: 'editBegun', edit, inline });
        await store.flush();
      },
      made: (applied) => {
        this.record({ type: 'editMade', edit: { ...applied, isInline: true } });
        // A running turn reports all changes at its end.
        const isRunning = chat.sessions.some((each) => each.conversation.id === this.id && each.isRunning);
        if (!isRunning) this.record({ type: 'editsMade', id: randomUUID() });
      },
    });
  }

  private record(event: Parameters<ChatController['record']>[1]): void {
    this.deps.chat.record(this.id, event);
  }
}
