import * as z from 'zod/mini';
import { Emitter } from '../../base/emitter.ts';
import { parseJson } from '../../base/json.ts';
import { type AutoSync, readAutoSync } from '../autoSync/syncTerms.ts';
import { originHash } from '../manifest/manifests.ts';
import type { ManifestStorage } from '../manifest/manifestStorage.ts';

export interface FolderLink {
  /** Shown path; empty for the only workspace folder. */
  folder: string;
  path: string;
  datasetId: string;
  datasetName: string;
  auto?: AutoSync;
}

const linkSchema = z.object({
  folder: z.string(),
  path: z.string(),
  datasetId: z.string(),
  datasetName: z.string(),
  auto: z.optional(z.unknown()),
  isRemoved: z.optional(z.boolean()),
});
/** Earlier versions wrote all links as one line. */
const lineSchema = z.union([z.array(linkSchema), linkSchema]);

const mostLines = 400;

export class FolderLinks {
  private readonly name: string;
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly storage: ManifestStorage,
    origin: string,
  ) {
    this.name = `links-${originHash(origin)}.json`;
  }

  async all(): Promise<readonly FolderLink[]> {
    return linksIn((await this.storage.read(this.name)) ?? '');
  }

  async find({ path, datasetId }: Pick<FolderLink, 'path' | 'datasetId'>): Promise<FolderLink | undefined> {
    return (await this.all()).find((link) => link.path === path && link.datasetId === datasetId);
  }

  add(link: FolderLink): Promise<void> {
    return this.append(link);
  }

  remove(link: FolderLink): Promise<void> {
    return this.append({ ...link, isRemoved: true });
  }

  async removeAllOf(datasetId: string): Promise<void> {
    for (const link of await this.all()) if (link.datasetId === datasetId) await this.remove(link);
  }

  private async append(line: FolderLink & { isRemoved?: boolean }): Promise<void> {
    await this.storage.append(this.name, JSON.stringify(line));
    await this.compact();
    this.changes.fire();
  }

  /** A folder in step adds a line for each commit. */
  private async compact(): Promise<void> {
    const text = (await this.storage.read(this.name)) ?? '';
    if (text.split('\n').length < mostLines) return;
    await this.storage.rewrite(this.name, (all) =>
      linksIn(all)
        .map((link) => `${JSON.stringify(link)}\n`)
        .join(''),
    );
  }
}

function linksIn(text: string): FolderLink[] {
  const links = new Map<string, FolderLink>();
  for (const line of text.split('\n')) {
    const parsed = lineSchema.safeParse(parseJson(line));
    for (const { isRemoved, auto: stored, ...link } of parsed.success ? [parsed.data].flat() : []) {
      const key = JSON.stringify([link.path, link.datasetId]);
      const auto = readAutoSync(stored);
      if (isRemoved) links.delete(key);
      else links.set(key, { ...link, ...(auto && { auto }) });
    }
  }
  return [...links.values()];
}
