import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../base/files/replaceFile.ts';
import { isMissing } from '../../base/errors/errors.ts';
import { type TextSnapshots } from '../../tools/edits/editJournal.ts';
import { sha256 } from '../../base/sha256.ts';

/** Size limit per conversation, in bytes; the oldest snapshots are removed first. */
export const mostSnapshotBytes = 100_000_000;

/** Texts of changed files, named by hash. Writes are atomic, since several windows may write the same one. */
export class FileSnapshots implements TextSnapshots {
  constructor(
    private readonly folder: string,
    private readonly mostBytes = mostSnapshotBytes,
  ) {}

  async put(text: string): Promise<string> {
    const hash = sha256(text);
    const path = join(this.folder, hash);
    try {
      // Renews the snapshot's age.
      await utimes(path, new Date(), new Date());
      return hash;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    await mkdir(this.folder, { recursive: true });
    await replaceFile(path, text);
    await this.removeOldest(hash);
    return hash;
  }

  async get(hash: string): Promise<string | undefined> {
    try {
      const text = await readFile(join(this.folder, hash), 'utf8');
      // Damaged snapshots must not reach the user's files.
      return sha256(text) === hash ? text : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  private async removeOldest(newest: string): Promise<void> {
    const files = await Promise.all(
      (await readdir(this.folder)).map(async (name) => {
        const path = join(this.folder, name);
        const found = await stat(path).catch(() => undefined);
        return { name, path, bytes: found?.size ?? 0, at: found?.mtimeMs ?? 0 };
      }),
    );
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files.toSorted((a, b) => a.at - b.at)) {
      if (bytes <= this.mostBytes) return;
      if (file.name === newest) continue;
      await rm(file.path, { force: true });
      bytes -= file.bytes;
    }
  }
}
