import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import { messageOf } from '../base/messageOf.ts';
import type { ChatStore } from '../chat/chatStore.ts';
import { EventBatcher } from '../chat/eventBatcher.ts';
import { chatEventSchema, type ChatEvent } from '../chat/events.ts';
import { upgradeEvent } from '../chat/upgradeEvent.ts';

/** Text of an answer is written at most this often; that much of it a crash can cost. */
const batchMs = 500;

/** One append-only file per chat, an event a line. Nothing is ever rewritten, so a crash costs at most the last line. */
export class FileChatStore implements ChatStore {
  private readonly batchers = new Map<string, EventBatcher<ChatEvent>>();
  private writing: Promise<void> = Promise.resolve();
  private failed = false;

  constructor(
    private readonly folder: string,
    /** Told once, so that a full disk does not raise a message per token. */
    private readonly onFailure: (error: unknown) => void,
  ) {}

  append(chatId: string, event: ChatEvent): void {
    let batcher = this.batchers.get(chatId);
    if (!batcher) {
      batcher = new EventBatcher(batchMs, (ready) => this.write(chatId, `${JSON.stringify(ready)}\n`));
      this.batchers.set(chatId, batcher);
    }
    batcher.push(event);
  }

  async load(chatId: string): Promise<ChatEvent[] | undefined> {
    await this.flush();
    let text: string;
    try {
      text = await readFile(this.fileOf(chatId), 'utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      const why = messageOf(error);
      throw new SwitchboardError('storage', l10n.t('This conversation could not be read.'), { why });
    }
    // A line that was torn by a crash must not swallow the next one that is written.
    if (text && !text.endsWith('\n')) this.write(chatId, '\n');
    return parseEvents(text);
  }

  async flush(): Promise<void> {
    for (const batcher of this.batchers.values()) batcher.flush();
    await this.writing;
  }

  private write(chatId: string, line: string): void {
    this.writing = this.writing
      .then(() => mkdir(this.folder, { recursive: true }))
      .then(() => appendFile(this.fileOf(chatId), line))
      .then(
        () => {
          this.failed = false;
        },
        (error: unknown) => {
          if (!this.failed) this.onFailure(error);
          this.failed = true;
        },
      );
  }

  private fileOf(chatId: string): string {
    return join(this.folder, `${chatId}.jsonl`);
  }
}

/** Whether a file or folder is simply not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The events of a chat's file, or of a beginning of it; lines that are broken or cut are left out. */
export function parseEvents(text: string): ChatEvent[] {
  return text.split('\n').flatMap((line) => parseLine(line));
}

function parseLine(line: string): ChatEvent[] {
  if (!line) return [];
  try {
    const parsed = chatEventSchema.safeParse(upgradeEvent(JSON.parse(line)));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}
