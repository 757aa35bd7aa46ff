import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import { megabyte } from '../base/format.ts';
import { lazy } from '../base/lazy.ts';
import { isMissing } from '../base/systemCode.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/messageOf.ts';
import type { ChatStore, SavedEnd } from './chatStore.ts';
import type { ConversationEnd } from './conversationEnd.ts';
import { EventBatcher } from './eventBatcher.ts';
import type { ChatEvent } from './events.ts';

/** Text of an answer is written at most this often; that much of it a crash can cost. */
const batchMs = 500;
/** What is before the end of a conversation is loaded behind it where it is no more than this. */
const quickBytes = 16 * megabyte;

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
    return this.reading(async () => {
      const events = await this.readEvents(chatId, Infinity).catch(unlessMissing);
      const unwritten = await this.unwrittenEvents(chatId);
      return events ? [...events, ...unwritten] : unwritten.length > 0 ? unwritten : undefined;
    });
  }

  async loadEnd(chatId: string): Promise<SavedEnd | undefined> {
    await this.flush();
    return this.reading(async () => {
      const { ConversationEnd } = await import('./conversationEnd.ts');
      const end = new ConversationEnd();
      for (const event of (await this.unwrittenEvents(chatId)).toReversed()) end.add(event);
      const start = await this.readEnd(chatId, end).catch(unlessMissing);
      const { events, hasSettings } = end;
      if (start === undefined && events.length === 0) return undefined;
      // A system may give no size for what it cannot read.
      if (events.length === 0) return { events: await this.readEvents(chatId, Infinity) };
      if (!start) return { events };
      return {
        events,
        earlier: () => this.reading(() => this.readEvents(chatId, start)),
        isEarlierWanted: !hasSettings || start < quickBytes,
      };
    });
  }

  private async reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      const systemError = messageOf(error);
      throw new SwitchboardError('storage', l10n.t('This conversation could not be read.'), { systemError });
    }
  }

  /** The events in the file up to a byte. */
  private async readEvents(chatId: string, to: number): Promise<ChatEvent[]> {
    const { parseLine, readLines } = await reader();
    const events: ChatEvent[] = [];
    let damaged = 0;
    let count = 0;
    for await (const lines of readLines(this.fileOf(chatId), to)) {
      for (const line of lines) {
        const [event] = parseLine(line);
        count++;
        if (event) events.push(event);
        else damaged++;
      }
    }
    if (damaged > 0) this.log.warn(`Conversation ${chatId}: ${damaged} of ${count} lines cannot be read`);
    return events;
  }

  /** Adds events of the file to its end, and tells the byte at which the oldest of them begins. */
  private async readEnd(chatId: string, end: ConversationEnd): Promise<number> {
    const { parseLine, readLinesBackwards } = await reader();
    let from = Infinity;
    for await (const lines of readLinesBackwards(this.fileOf(chatId))) {
      for (const { text, start } of lines) {
        const [event] = parseLine(text);
        if (event && !end.add(event)) return from;
        from = start;
      }
    }
    return 0;
  }

  private async unwrittenEvents(chatId: string): Promise<ChatEvent[]> {
    const lines = this.unwritten.get(chatId);
    return lines ? lines.flatMap((await reader()).parseLine) : [];
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

/** With the schemas of all events: nothing of that is needed to write them. */
const reader = lazy(async () => ({
  ...(await import('./parseEvents.ts')),
  ...(await import('../base/readLines.ts')),
}));

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Where the texts are that a chat's tools found in files and left in them. */
export function snapshotFolder(folder: string, chatId: string): string {
  return join(folder, `${chatId}.files`);
}
