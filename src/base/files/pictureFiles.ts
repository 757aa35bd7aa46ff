import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PictureType } from './pictureFormats.ts';
import { isMissing } from '../errors/errors.ts';
import { sha256 } from '../sha256.ts';

export interface FilePicture {
  bytes: Uint8Array;
  type: PictureType;
}

const extensions = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const satisfies Record<PictureType, string>;

export const pictureFilePattern = /^[0-9a-f]{32}\.(?:png|jpg|gif|webp)$/;

/** Stores pictures under the hash of their content: the editor caches by name. */
export class PictureFiles {
  constructor(private readonly folder: string) {}

  async keep({ bytes, type }: FilePicture): Promise<string> {
    const name = `${sha256(bytes).slice(0, 32)}.${extensions[type]}`;
    await mkdir(this.folder, { recursive: true });
    // Another window must not see a partial file.
    const partial = join(this.folder, `${name}.${process.pid}.partial`);
    await writeFile(partial, bytes);
    await rename(partial, this.pathOf(name));
    return name;
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.pathOf(name));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  pathOf(name: string): string {
    return join(this.folder, name);
  }
}
