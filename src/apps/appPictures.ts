import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../base/systemCode.ts';
import type { AppPicture } from './client/appPicture.ts';

const extensions = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const;

/** The pictures of apps, one file each, named by what is in it: the editor shows a file that changed as it was. */
export class AppPictures {
  constructor(private readonly folder: string) {}

  /** @returns the file's name */
  async keep({ bytes, type }: AppPicture): Promise<string> {
    const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${extensions[type]}`;
    await mkdir(this.folder, { recursive: true });
    // Another window may show it before it is whole.
    const partial = join(this.folder, `${name}.${process.pid}.partial`);
    await writeFile(partial, bytes);
    await rename(partial, join(this.folder, name));
    return name;
  }

  /** Undefined if it is not there any more. */
  async read(name: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(join(this.folder, name));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true });
  }
}
