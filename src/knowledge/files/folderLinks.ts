import * as z from 'zod/mini';
import { parseJson } from '../../base/json.ts';
import { originHash } from '../manifest/manifests.ts';
import type { ManifestStorage } from '../manifest/manifestStorage.ts';

export interface FolderLink {
  /** Shown path; empty for the only workspace folder. */
  folder: string;
  path: string;
  datasetId: string;
  datasetName: string;
}

const linkSchema = z.object({
  folder: z.string(),
  path: z.string(),
  datasetId: z.string(),
  datasetName: z.string(),
  isRemoved: z.optional(z.boolean()),
});
/** Earlier versions wrote all links as one line. */
const lineSchema = z.union([z.array(linkSchema), linkSchema]);

/** Folders of this workspace synced with knowledge bases: an append-only file. */
export class FolderLinks {
  private readonly name: string;

  constructor(
    private readonly storage: ManifestStorage,
    origin: string,
  ) {
    this.name = `links-${originHash(origin)}.json`;
  }

  async all(): Promise<readonly FolderLink[]> {
    const links = new Map<string, FolderLink>();
    for (const line of ((await this.storage.read(this.name)) ?? '').split('\n')) {
      const parsed = lineSchema.safeParse(parseJson(line));
      for (const { isRemoved, ...link } of parsed.success ? [parsed.data].flat() : []) {
        const key = JSON.stringify([link.path, link.datasetId]);
        links.delete(key);
        if (!isRemoved) links.set(key, link);
      }
    }
    return [...links.values()];
  }

  add(link: FolderLink): Promise<void> {
    return this.storage.append(this.name, JSON.stringify(link));
  }

  remove(link: FolderLink): Promise<void> {
    return this.storage.append(this.name, JSON.stringify({ ...link, isRemoved: true }));
  }

  async removeAllOf(datasetId: string): Promise<void> {
    for (const link of await this.all()) if (link.datasetId === datasetId) await this.remove(link);
  }
}
