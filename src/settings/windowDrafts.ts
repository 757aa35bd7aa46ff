import { mkdir, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readObject } from '../base/json.ts';
import { replaceFile } from '../base/files/replaceFile.ts';
import { isMissing } from '../base/errors/errors.ts';
import { isWindowThere, thisWindow } from '../chat/session/windowMark.ts';
import type { UnsentMessage } from './memory.ts';

const savedSchema = z.object({
  window: z.object({ id: z.string(), pid: z.number(), host: z.string() }),
  text: z.string(),
  attachments: z.optional(z.unknown()),
  target: z.optional(z.unknown()),
  edits: z.optional(z.unknown()),
});

export interface LeftDraft extends UnsentMessage {
  id: string;
}

/** Drafts of a workspace's windows, one file each: the editor's memory only holds the last writer's. */
export class WindowDrafts {
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly window = thisWindow,
  ) {}

  save(unsent: UnsentMessage): Promise<void> {
    this.writing = this.writing
      .then(() => this.write(unsent))
      // The editor's memory also has the draft.
      .catch(() => undefined);
    return this.writing;
  }

  /** Drafts of closed windows, newest first, without `own`. */
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

  /** Claims a draft; false if another window already did. */
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

function isEmpty({ text, ...others }: UnsentMessage): boolean {
  return text.trim() === '' && Object.values(others).every((each) => each === undefined);
}

function isSame(one: UnsentMessage, other: UnsentMessage): boolean {
  const content = ({ text, attachments, target, edits }: UnsentMessage) =>
    JSON.stringify([text, attachments ?? null, target ?? null, edits ?? null]);
  return content(one) === content(other);
}

function noneIfMissing(error: unknown): string[] {
  if (isMissing(error)) return [];
  throw error;
}
