import { type FileSystem, type FileStat, joinPath } from '../files/fileSystem.ts';

/** Beyond this, a file's names count as unknown. */
const mostEntries = 50_000;
const freshMs = 5000;

/** Finds all names of a file: one of several may be a secret. Cached briefly and verified before use. */
export class HardLinks {
  private known: { made: number; roots: string; names: Promise<Map<string, string[]>> } | undefined;

  constructor(private readonly access: FileSystem) {}

  /** All real paths of the file; undefined if some are outside the roots. */
  async namesOf(
    stat: Pick<FileStat, 'identity' | 'links'>,
    roots: readonly string[],
  ): Promise<readonly string[] | undefined> {
    const { identity, links = 1 } = stat;
    if (identity === undefined) return undefined;
    const key = roots.join('\0');
    const isKnown = this.known?.roots === key && performance.now() - this.known.made < freshMs;
    const known = isKnown && (await this.proven(identity, links));
    if (known) return known;
    this.known = { made: performance.now(), roots: key, names: this.find(roots) };
    return this.proven(identity, links);
  }

  private async proven(identity: string, links: number): Promise<readonly string[] | undefined> {
    const names = (await this.known?.names)?.get(identity);
    if (names?.length !== links) return undefined;
    for (const name of names) {
      const stillThere = await this.access.find(name).catch(() => undefined);
      if (stillThere?.identity !== identity) return undefined;
    }
    return names;
  }

  private async find(roots: readonly string[]): Promise<Map<string, string[]>> {
    const names = new Map<string, string[]>();
    const pending = withoutNested(roots);
    let left = mostEntries;
    for (let folder = pending.pop(); folder !== undefined && left > 0; folder = pending.pop()) {
      const entries = await this.access.list(folder).catch(() => []);
      left -= entries.length;
      for (const { name, type } of entries) {
        const path = joinPath(folder, name);
        if (type === 'folder') pending.push(path);
        if (type !== 'file') continue;
        const stat = await this.access.find(path).catch(() => undefined);
        if (stat?.identity === undefined || (stat.links ?? 1) < 2) continue;
        names.set(stat.identity, [...(names.get(stat.identity) ?? []), path]);
      }
    }
    return names;
  }
}

/** Nested workspace folders would count names twice. */
function withoutNested(roots: readonly string[]): string[] {
  const isInside = (root: string, other: string) => root !== other && root.startsWith(`${other}/`);
  return [...new Set(roots)].filter((root) => !roots.some((other) => isInside(root, other)));
}
