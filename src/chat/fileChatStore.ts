import { existsSync, mkdirSync, watch } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import { megabyte } from '../base/format.ts';
import { lazy } from '../base/lazy.ts';
import { isMissing } from '../base/systemCode.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/messageOf.ts';
import type { ByteRange } from '../base/readLines.ts';
import type { ChatStore, News, SavedEnd } from './chatStore.ts';
import type { ConversationEnd } from './conversationEnd.ts';
import { isLocked, takeLock, type Lock } from './turnLock.ts';
import type { Disposable } from '../base/disposable.ts';
import { EventBatcher } from './eventBatcher.ts';
import type { ChatEvent } from './events.ts';
import { runningElsewhere } from './runningElsewhere.ts';

/** Text of an answer is written at most this often; that much of it a crash can cost. */
const batchMs = 500;
const discardedExtension = '.deleted';
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
  /** By chat: up to which byte all of the file is known here, and the lines that were written here after something that is not. */
  private readonly known = new Map<string, { size: number; apart: string[] }>();
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
    return this.reading(async () => {
      const size = await this.sizeOf(chatId);
      const events = size === undefined ? undefined : await this.readEvents(chatId, { to: size || Infinity });
      const unwritten = await this.unwrittenEvents(chatId);
      return events ? [...events, ...unwritten] : unwritten.length > 0 ? unwritten : undefined;
    });
  }

  async loadEnd(chatId: string): Promise<SavedEnd | undefined> {
    return this.reading(async () => {
      const { ConversationEnd } = await import('./conversationEnd.ts');
      const end = new ConversationEnd();
      for (const event of (await this.unwrittenEvents(chatId)).toReversed()) end.add(event);
      const size = await this.sizeOf(chatId);
      const start = size === undefined ? undefined : await this.readEnd(chatId, size, end);
      const { events, hasSettings } = end;
      if (start === undefined && events.length === 0) return undefined;
      // A system may give no size for what it cannot read.
      if (events.length === 0) return { events: await this.readEvents(chatId) };
      if (!start) return { events };
      return {
        events,
        earlier: () => this.reading(() => this.readEvents(chatId, { to: start })),
        isEarlierWanted: !hasSettings || start < quickBytes,
      };
    });
  }

  async newsOf(chatId: string): Promise<News> {
    // Who watches the file is told of all that is written here, too: that is no reason to write the rest of it at once.
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
    // What is added to it would begin another one under its name.
    if (this.known.get(chatId)?.size && !existsSync(this.fileOf(chatId))) throw deletedElsewhere();
    try {
      mkdirSync(this.folder, { recursive: true });
      return takeLock(this.lockOf(chatId));
    } catch {
      // Where nothing can be written, nobody else writes either.
      return { release: async () => {} };
    }
  }

  isRunningElsewhere(chatId: string): boolean {
    return isLocked(this.lockOf(chatId));
  }

  /** Tells of what may be news of a chat: other windows write, begin or end a turn. */
  watch(chatId: string, onChange: () => void): Disposable {
    const names = new Set([this.fileOf(chatId), this.lockOf(chatId)].map((path) => basename(path)));
    try {
      // It is there as soon as something is written, which may be about to happen.
      mkdirSync(this.folder, { recursive: true });
      const watcher = watch(this.folder, { persistent: false }, (_, name) => {
        if (name === null || names.has(name)) onChange();
      });
      // One that fails sees nothing more; what was missed is seen when the conversation is looked at again.
      watcher.on('error', () => watcher.close());
      return { dispose: () => watcher.close() };
    } catch {
      return { dispose() {} };
    }
  }

  /** Undefined when it is not there. */
  private bytesOf(chatId: string): Promise<number | undefined> {
    return stat(this.fileOf(chatId)).then(({ size }) => size, unlessMissing);
  }

  /** Nobody has written what is not known here. */
  private async isAllKnown(chatId: string): Promise<boolean> {
    const size = await this.bytesOf(chatId).catch(() => undefined);
    return size !== undefined && size === this.known.get(chatId)?.size;
  }

  /** Undefined when it is not there. From here on, what others add is news. */
  private async sizeOf(chatId: string): Promise<number | undefined> {
    const size = await this.bytesOf(chatId);
    this.known.set(chatId, { size: size ? await this.endOfLines(chatId, size) : 0, apart: [] });
    return size;
  }

  /** The byte behind the last whole line before this one. What comes then, another window may be writing. */
  private async endOfLines(chatId: string, size: number): Promise<number> {
    const { parseLine, readLinesBackwards } = await reader();
    for await (const [last] of readLinesBackwards(this.fileOf(chatId), size)) {
      if (!last) continue;
      const isEnded = last.start + Buffer.byteLength(last.text) < size;
      return isEnded || parseLine(last.text).length > 0 ? size : last.start;
    }
    return size;
  }

  /** Nothing is written meanwhile: what was written here, and what not, is known to the line. */
  private async reading<T>(read: () => Promise<T>): Promise<T> {
    for (const batcher of this.batchers.values()) batcher.flush();
    try {
      return await this.inOrder(read);
    } catch (error) {
      if (error instanceof SwitchboardError) throw error;
      const systemError = messageOf(error);
      throw new SwitchboardError('storage', l10n.t('This conversation could not be read.'), { systemError });
    }
  }

  /** After all that is written by now, and before what comes then. */
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

  /** Adds the newest events of the file to its end, and tells the byte at which the oldest of them begins. */
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

  /** Deletes a chat to which nothing is added any more, so that `restore` brings it back. Throws while it runs in another window. */
  async discard(chatId: string): Promise<void> {
    await this.flush();
    if (this.isRunningElsewhere(chatId)) {
      throw runningElsewhere();
    }
    this.unwritten.delete(chatId);
    this.known.delete(chatId);
    await rename(this.fileOf(chatId), this.discardedOf(chatId)).catch(unlessMissing);
  }

  /** Brings a chat back that was discarded. False when it is not there any more. */
  async restore(chatId: string): Promise<boolean> {
    const isThere = await rename(this.discardedOf(chatId), this.fileOf(chatId)).then(
      () => true,
      unlessMissing,
    );
    return isThere === true;
  }

  /** Deletes a discarded chat for good, or all that were discarded so long ago. Resolves with their ids. */
  async purge(which: { chatId: string } | { olderThanMs: number }): Promise<string[]> {
    const purged: string[] = [];
    for (const chatId of 'chatId' in which ? [which.chatId] : await this.discardedBefore(which.olderThanMs)) {
      await rm(this.discardedOf(chatId), { force: true });
      await rm(this.lockOf(chatId), { force: true });
      await rm(snapshotFolder(this.folder, chatId), { recursive: true, force: true });
      purged.push(chatId);
    }
    return purged;
  }

  private async discardedBefore(ageMs: number): Promise<string[]> {
    const names = (await readdir(this.folder).catch(unlessMissing)) ?? [];
    const old: string[] = [];
    for (const name of names) {
      if (!name.endsWith(discardedExtension)) continue;
      const found = await stat(join(this.folder, name)).catch(unlessMissing);
      // Of when it was given that name.
      if (found && Date.now() - found.ctimeMs > ageMs) old.push(name.slice(0, -discardedExtension.length));
    }
    return old;
  }

  private discardedOf(chatId: string): string {
    return join(this.folder, `${chatId}${discardedExtension}`);
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
        const { appendLine, lineBytes } = await import('../base/lineFiles.ts');
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

  private lockOf(chatId: string): string {
    return join(this.folder, `${chatId}.turn`);
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

function deletedElsewhere(): SwitchboardError {
  return new SwitchboardError('storage', l10n.t('This conversation was deleted in another window.'));
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Where the texts are that a chat's tools found in files and left in them. */
export function snapshotFolder(folder: string, chatId: string): string {
  return join(folder, `${chatId}.files`);
}
