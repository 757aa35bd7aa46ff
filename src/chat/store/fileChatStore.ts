import { existsSync, mkdirSync, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isMissing, messageOf, SwitchboardError } from '../../base/errors/errors.ts';
import { megabyte } from '../../base/text/formatSize.ts';
import { lazy } from '../../base/async/lazy.ts';
import type { Log } from '../../base/log.ts';
import type { ByteRange } from '../../base/files/readLines.ts';
import { type ChatStore, type News, type SavedEnd, runningElsewhere } from './chatStore.ts';
import type { ConversationEnd } from '../conversation/conversationEnd.ts';
import { isLocked, takeLock, type Lock } from '../session/turnLock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { EventBatcher } from './eventBatcher.ts';
import type { ChatEvent } from './events.ts';

/** Write interval for answer text; a crash loses at most this much. */
const batchMs = 500;
const mostBackgroundBytes = 16 * megabyte;

/** One append-only file per chat. A crash costs at most the last line; windows don't write into each other's lines. */
export class FileChatStore implements ChatStore {
  private readonly batchers = new Map<string, EventBatcher<ChatEvent>>();
  private readonly unwritten = new Map<string, string[]>();
  /** By chat: bytes of the file known here, and own lines written after unknown ones. */
  private readonly known = new Map<string, { size: number; apart: string[] }>();
  private writing: Promise<void> = Promise.resolve();
  private failed = false;

  constructor(
    private readonly folder: string,
    /** Called once, so that a full disk doesn't raise a message per token. */
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
    return this.reading(async () => {
      const size = await this.sizeOf(chatId);
      const events = size === undefined ? undefined : await this.readEvents(chatId, { to: size || Infinity });
      const unwritten = await this.unwrittenEvents(chatId);
      return events ? [...events, ...unwritten] : unwritten.length > 0 ? unwritten : undefined;
    });
  }

  async loadEnd(chatId: string): Promise<SavedEnd | undefined> {
    return this.reading(async () => {
      const { ConversationEnd } = await import('../conversation/conversationEnd.ts');
      const end = new ConversationEnd();
      for (const event of (await this.unwrittenEvents(chatId)).toReversed()) end.add(event);
      const size = await this.sizeOf(chatId);
      const start = size === undefined ? undefined : await this.readEnd(chatId, size, end);
      const { events, hasSettings } = end;
      if (start === undefined && events.length === 0) return undefined;
      // Some systems report no size for files they can't read.
      if (events.length === 0) return { events: await this.readEvents(chatId) };
      if (!start) return { events };
      return {
        events,
        earlier: () => this.reading(() => this.readEvents(chatId, { to: start })),
        isEarlierWanted: !hasSettings || start < mostBackgroundBytes,
      };
    });
  }

  async newsOf(chatId: string): Promise<News> {
    // The watcher also reports our own writes, which mustn't flush pending batches.
    if (await this.inOrder(() => this.isAllKnown(chatId))) return { events: [], isMixed: false };
    return this.reading(async () => {
      const { size, apart } = this.known.get(chatId) ?? { size: 0, apart: [] };
      const { parseLine, readLines } = await reader();
      const now = await this.bytesOf(chatId);
      if (now === undefined ? size > 0 : now < size) throw deletedElsewhere();
      if (now === undefined || now === size) return { events: [], isMixed: false };
      const to = await this.endOfLines(chatId, now);
      const events: ChatEvent[] = [];
      const own = [...apart];
      for await (const lines of readLines(this.fileOf(chatId), { from: size, to })) {
        for (const line of lines) {
          if (line === own[0]) own.shift();
          else events.push(...parseLine(line));
        }
      }
      this.known.set(chatId, { size: to, apart: own });
      return { events, isMixed: apart.length > 0 && events.length > 0 };
    });
  }

  beginTurn(chatId: string): Lock | undefined {
    // Writing would create a new file under the deleted chat's name.
    if (this.known.get(chatId)?.size && !existsSync(this.fileOf(chatId))) throw deletedElsewhere();
    try {
      mkdirSync(this.folder, { recursive: true });
      return takeLock(lockFile(this.folder, chatId));
    } catch {
      // If nothing can be written, no other window writes either.
      return { release: async () => {} };
    }
  }

  isRunningElsewhere(chatId: string): boolean {
    return isLocked(lockFile(this.folder, chatId));
  }

  watch(chatId: string, onChange: () => void): Disposable {
    const names = new Set([this.fileOf(chatId), lockFile(this.folder, chatId)].map((path) => basename(path)));
    try {
      // The folder may not exist before the first write.
      mkdirSync(this.folder, { recursive: true });
      const watcher = watch(this.folder, { persistent: false }, (_, name) => {
        if (name === null || names.has(name)) onChange();
      });
      // Opening the conversation again catches up on events missed by a failed watcher.
      watcher.on('error', () => watcher.close());
      return { dispose: () => watcher.close() };
    } catch {
      return { dispose() {} };
    }
  }

  private bytesOf(chatId: string): Promise<number | undefined> {
    return stat(this.fileOf(chatId)).then(({ size }) => size, unlessMissing);
  }

  private async isAllKnown(chatId: string): Promise<boolean> {
    const size = await this.bytesOf(chatId).catch(() => undefined);
    return size !== undefined && size === this.known.get(chatId)?.size;
  }

  /** Undefined if the file doesn't exist. Later bytes of other windows count as news. */
  private async sizeOf(chatId: string): Promise<number | undefined> {
    const size = await this.bytesOf(chatId);
    this.known.set(chatId, { size: size ? await this.endOfLines(chatId, size) : 0, apart: [] });
    return size;
  }

  /** End of the last complete line before `size`; another window may be writing the next. */
  private async endOfLines(chatId: string, size: number): Promise<number> {
    const { parseLine, readLinesBackwards } = await reader();
    for await (const [last] of readLinesBackwards(this.fileOf(chatId), size)) {
      if (!last) continue;
      const isEnded = last.start + Buffer.byteLength(last.text) < size;
      return isEnded || parseLine(last.text).length > 0 ? size : last.start;
    }
    return size;
  }

  /** Flushes and blocks writes, so it is known exactly which own lines are read. */
  private async reading<T>(read: () => Promise<T>): Promise<T> {
    for (const batcher of this.batchers.values()) batcher.flush();
    try {
      return await this.inOrder(read);
    } catch (error) {
      if (error instanceof SwitchboardError) throw error;
      const systemError = messageOf(error);
      throw new SwitchboardError('storage', l10n.t("This conversation couldn't be read."), { systemError });
    }
  }

  /** Runs after all writes queued so far, and before later ones. */
  private inOrder<T>(read: () => Promise<T>): Promise<T> {
    const done = this.writing.then(read);
    this.writing = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  private async readEvents(chatId: string, range: ByteRange = {}): Promise<ChatEvent[]> {
    const { parseLine, readLines } = await reader();
    const events: ChatEvent[] = [];
    let damaged = 0;
    let count = 0;
    for await (const lines of readLines(this.fileOf(chatId), range)) {
      for (const line of lines) {
        const [event] = parseLine(line);
        count++;
        if (event) events.push(event);
        else damaged++;
      }
    }
    this.sayDamaged(chatId, damaged, count);
    return events;
  }

  private sayDamaged(chatId: string, damaged: number, count: number): void {
    if (damaged > 0) this.log.warn(`Conversation ${chatId}: ${damaged} of ${count} lines cannot be read`);
  }

  /** Adds the newest events to `end` and returns the byte offset of the oldest. */
  private async readEnd(chatId: string, size: number, end: ConversationEnd): Promise<number> {
    const { parseLine, readLinesBackwards } = await reader();
    let from = Infinity;
    let damaged = 0;
    let count = 0;
    try {
      for await (const lines of readLinesBackwards(this.fileOf(chatId), size)) {
        for (const { text, start } of lines) {
          const [event] = parseLine(text);
          if (event && !end.add(event)) return from;
          from = start;
          count++;
          if (event) continue;
          end.skip();
          damaged++;
        }
      }
      return 0;
    } finally {
      this.sayDamaged(chatId, damaged, count);
    }
  }

  private async unwrittenEvents(chatId: string): Promise<ChatEvent[]> {
    const lines = this.unwritten.get(chatId);
    return lines ? lines.flatMap((await reader()).parseLine) : [];
  }

  async flush(): Promise<void> {
    for (const batcher of this.batchers.values()) batcher.flush();
    await this.writing;
  }

  /** Drops what is not written yet of a chat that is deleted. Throws while another window runs it. */
  async forget(chatId: string): Promise<void> {
    await this.flush();
    if (this.isRunningElsewhere(chatId)) {
      throw runningElsewhere();
    }
    this.unwritten.delete(chatId);
    this.known.delete(chatId);
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
        const { appendLine, lineBytes } = await import('../../base/files/writeLines.ts');
        for (let line = lines[0]; line !== undefined; line = lines[0]) {
          const size = await appendLine(this.fileOf(chatId), line);
          this.wrote(chatId, line, size, lineBytes(line));
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

  private wrote(chatId: string, line: string, size: number, length: number): void {
    const known = this.known.get(chatId) ?? { size: 0, apart: [] };
    this.known.set(chatId, known);
    if (known.apart.length === 0 && known.size === size - length) known.size = size;
    else known.apart.push(line);
  }

  private fileOf(chatId: string): string {
    return eventsFile(this.folder, chatId);
  }
}

/** Lazy, because writing needs no event schemas. */
const reader = lazy(async () => ({
  ...(await import('./parseEvents.ts')),
  ...(await import('../../base/files/readLines.ts')),
}));

function deletedElsewhere(): SwitchboardError {
  return new SwitchboardError('storage', l10n.t('This conversation was deleted in another window.'));
}

export function eventsFile(folder: string, chatId: string): string {
  return join(folder, `${chatId}.jsonl`);
}

export function lockFile(folder: string, chatId: string): string {
  return join(folder, `${chatId}.turn`);
}

export function pictureFolder(folder: string, chatId: string): string {
  return join(folder, `${chatId}.pictures`);
}

export function snapshotFolder(folder: string, chatId: string): string {
  return join(folder, `${chatId}.files`);
}

export function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
