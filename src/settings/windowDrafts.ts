import { mkdir, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readObject } from '../base/json.ts';
import { replaceFile } from '../base/replaceFile.ts';
import { isMissing } from '../base/systemCode.ts';
import { isWindowThere, thisWindow } from '../chat/windowMark.ts';
import type { UnsentMessage } from './memory.ts';

const savedSchema = z.object({
  window: z.object({ id: z.string(), pid: z.number(), host: z.string() }),
  text: z.string(),
  attachments: z.optional(z.unknown()),
  target: z.optional(z.unknown()),
});

/** What a window that is gone left unsent. */
export interface LeftDraft extends UnsentMessage {
  id: string;
}

/**
 * What stands unsent in the message boxes of a workspace's windows, a file each: the editor's own memory is that of the
 * window that wrote last, and has nothing of the others.
 */
export class WindowDrafts {
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly window = thisWindow,
  ) {}

  /** Saves what is in this window's message box; one that is empty leaves nothing. */
  save(unsent: UnsentMessage): Promise<void> {
    this.writing = this.writing
      .then(() => this.write(unsent))
      // The editor's memory has it, too.
      .catch(() => undefined);
    return this.writing;
  }

  /**
   * What windows left that are gone, the newest first.
   * @param own what this window goes on with, whichever window that was of
   */
  async left(own: UnsentMessage): Promise<LeftDraft[]> {
    await this.save(own);
    const found: { draft: LeftDraft; at: number }[] = [];
    for (const id of await readdir(this.folder).catch(noneIfMissing)) {
      const path = join(this.folder, id);
      if (id === this.name || !id.endsWith('.json')) continue;
      const saved = savedSchema.safeParse(readObject(await readFile(path, 'utf8').catch(() => '')));
      if (!saved.success) continue;
      const { window, ...unsent } = saved.data;
      if (isSame(unsent, own)) await rm(path, { force: true });
      else if (!isWindowThere(window))
        found.push({ draft: { id, ...unsent }, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 });
    }
    return found.toSorted((a, b) => b.at - a.at).map(({ draft }) => draft);
  }

  /** Takes one from those that were left. False if another window has. */
  async take(id: string): Promise<boolean> {
    return unlink(join(this.folder, id)).then(
      () => true,
      () => false,
    );
  }

  private async write(unsent: UnsentMessage): Promise<void> {
    const path = join(this.folder, this.name);
    if (isEmpty(unsent)) return rm(path, { force: true });
    await mkdir(this.folder, { recursive: true });
    await replaceFile(path, JSON.stringify({ window: this.window, ...unsent }));
  }

  private get name(): string {
    return `${this.window.id}.json`;
  }
}

function isEmpty({ text, attachments, target }: UnsentMessage): boolean {
  return text.trim() === '' && attachments === undefined && target === undefined;
}

function isSame(one: UnsentMessage, other: UnsentMessage): boolean {
  const content = ({ text, attachments, target }: UnsentMessage) =>
    JSON.stringify([text, attachments ?? null, target ?? null]);
  return content(one) === content(other);
}

function noneIfMissing(error: unknown): string[] {
  if (isMissing(error)) return [];
  throw error;
}
