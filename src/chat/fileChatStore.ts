import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import { isMissing } from '../base/systemCode.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/messageOf.ts';
import type { ChatStore } from './chatStore.ts';
import { EventBatcher } from './eventBatcher.ts';
import type { ChatEvent } from './events.ts';

/** Text of an answer is written at most this often; that much of it a crash can cost. */
const batchMs = 500;

/**
 * One append-only file per chat, an event a line. Nothing is ever rewritten, so a crash costs at most the last line, and
 * two windows in one conversation never write into each other's lines. What could not be written stays in memory, and is written
 * with what comes next.
 */
export class FileChatStore implements ChatStore {
  private readonly batchers = new Map<string, EventBatcher<ChatEvent>>();
  /** By chat: lines that are not on disk yet, oldest first. */
  private readonly unwritten = new Map<string, string[]>();
  private writing: Promise<void> = Promise.resolve();
  private failed = false;

  constructor(
    private readonly folder: string,
    /** Told once, so that a full disk does not raise a message per token. */
    private readonly onFailure: (error: unknown) => void,
    private readonly log: Log,
  ) {}

  append(chatId: string, event: ChatEvent): void {
    let batcher = this.batchers.get(chatId);
    if (!batcher) {
      batcher = new EventBatcher(batchMs, (ready) => this.write(chatId, JSON.stringify(ready)));
      this.batchers.set(chatId, batcher);
    }
    batcher.push(event);
  }

  async load(chatId: string): Promise<ChatEvent[] | undefined> {
    await this.flush();
    // With the schemas of all events: nothing of that is needed to write them.
    const { parseLine } = await import('./parseEvents.ts');
    const unwritten = this.unwritten.get(chatId) ?? [];
    try {
      const text = await readFile(this.fileOf(chatId), 'utf8');
      const lines = [...text.split('\n'), ...unwritten].filter((line) => line !== '');
      const events = lines.flatMap(parseLine);
      const damaged = lines.length - events.length;
      if (damaged > 0)
        this.log.warn(`Conversation ${chatId}: ${damaged} of ${lines.length} lines cannot be read`);
      return events;
    } catch (error) {
      if (isMissing(error)) return unwritten.length > 0 ? unwritten.flatMap(parseLine) : undefined;
      const systemError = messageOf(error);
      throw new SwitchboardError('storage', l10n.t('This conversation could not be read.'), { systemError });
    }
  }

  async flush(): Promise<void> {
    for (const batcher of this.batchers.values()) batcher.flush();
    await this.writing;
  }

  /** Deletes a chat to which nothing is added any more. */
  async remove(chatId: string): Promise<void> {
    await this.flush();
    this.unwritten.delete(chatId);
    await rm(this.fileOf(chatId), { force: true });
    await rm(snapshotFolder(this.folder, chatId), { recursive: true, force: true });
  }

  private write(chatId: string, line: string): void {
    const lines = this.unwritten.get(chatId);
    if (lines) lines.push(line);
    else this.unwritten.set(chatId, [line]);
    this.writing = this.writing.then(() => this.writeAll());
  }

  private async writeAll(): Promise<void> {
    let failure: unknown;
    for (const [chatId, lines] of this.unwritten) {
      try {
        // Loaded with the first line.
        const { appendLine } = await import('../base/lineFiles.ts');
        for (let line = lines[0]; line !== undefined; line = lines[0]) {
          await appendLine(this.fileOf(chatId), line);
          lines.shift();
        }
        this.unwritten.delete(chatId);
      } catch (error) {
        failure ??= error;
      }
    }
    if (failure !== undefined && !this.failed) this.onFailure(failure);
    this.failed = failure !== undefined;
  }

  private fileOf(chatId: string): string {
    return join(this.folder, `${chatId}.jsonl`);
  }
}

/** Where the texts are that a chat's tools found in files and left in them. */
export function snapshotFolder(folder: string, chatId: string): string {
  return join(folder, `${chatId}.files`);
}
