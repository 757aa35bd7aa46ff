import * as z from 'zod/mini';
import { parseJson } from '../base/json.ts';
import type { FolderLink } from './knowledge.ts';
import { originHash } from './manifests.ts';
import type { ManifestStorage } from './manifestStorage.ts';

const linksSchema = z.array(
  z.object({
    folder: z.string(),
    path: z.string(),
    datasetId: z.string(),
    datasetName: z.string(),
  }),
);

/** Folders of this workspace and the knowledge bases they are kept in step with. */
export class FolderLinks {
  private readonly name: string;
  /** One change after the other. */
  private changing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly storage: ManifestStorage,
    origin: string,
  ) {
    this.name = `links-${originHash(origin)}.json`;
  }

  async all(): Promise<readonly FolderLink[]> {
    const parsed = linksSchema.safeParse(parseJson((await this.storage.read(this.name)) ?? ''));
    return parsed.success ? parsed.data : [];
  }

  add(link: FolderLink): Promise<void> {
    return this.change((links) => [...links.filter((other) => !isSame(other, link)), link]);
  }

  remove(link: FolderLink): Promise<void> {
    return this.change((links) => links.filter((other) => !isSame(other, link)));
  }

  removeAllOf(datasetId: string): Promise<void> {
    return this.change((links) => links.filter((other) => other.datasetId !== datasetId));
  }

  private change(edit: (links: readonly FolderLink[]) => readonly FolderLink[]): Promise<void> {
    const done = this.changing.then(async () => {
      const links = await this.all();
      const edited = edit(links);
      if (edited.length !== links.length || edited.some((link, index) => link !== links[index])) {
        await this.storage.replace(this.name, `${JSON.stringify(edited)}\n`);
      }
    });
    this.changing = done.catch(() => {});
    return done;
  }
}

function isSame(a: FolderLink, b: FolderLink): boolean {
  return a.path === b.path && a.datasetId === b.datasetId;
}
