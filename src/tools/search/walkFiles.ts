import { type FileSystem, joinPath } from '../files/fileSystem.ts';
import { type PolicyRun, systemReason } from '../policy/policyRun.ts';
import type { RefusalReason } from '../policy/verdict.ts';
import { secretName } from '../policy/secretByName.ts';
import type { PathTest } from '../../base/files/matchGlob.ts';

export interface WalkCounts {
  /** A folder counts once. */
  withheld: Map<RefusalReason, number>;
  /** Links aren't followed. */
  links: number;
  unreadableFolders: number;
}

/** Called for each skipped path before the next file. */
export type OnPassedOver = (path: string, reason: RefusalReason | 'link') => void;

export function emptyCounts(): WalkCounts {
  return { withheld: new Map(), links: 0, unreadableFolders: 0 };
}

/** All allowed files below the judged folder `start`, in the order of `comparePaths`. `root` is a real path. */
export async function* walkFiles(
  {
    access,
    run,
    counts,
    onPassedOver,
  }: { access: FileSystem; run: PolicyRun; counts: WalkCounts; onPassedOver?: OnPassedOver },
  root: string,
  start: string,
  signal?: AbortSignal,
  isWanted: PathTest = () => true,
): AsyncGenerator<string, void, void> {
  const rules = run.rulesOf(root);
  const withhold = (reason: RefusalReason, path: string) => {
    counts.withheld.set(reason, (counts.withheld.get(reason) ?? 0) + 1);
    onPassedOver?.(path, reason);
  };

  const pending: { path: string; isFolder: boolean }[] = [{ path: start, isFolder: true }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (!next.isFolder) {
      yield next.path;
      continue;
    }
    signal?.throwIfAborted();
    const folder = next.path;
    const entries = await access.list(joinPath(root, folder)).catch((error: unknown) => {
      // The folder was deleted meanwhile; other failures are counted.
      if (systemReason(error) !== 'not-found') {
        counts.unreadableFolders++;
        onPassedOver?.(folder, 'unreadable');
      }
      return [];
    });
    const level = await rules.levelOfListed(folder, (name) => entries.some((entry) => entry.name === name));
    const parent = folder.slice(folder.lastIndexOf('/') + 1);
    entries.sort((a, b) => (a.name < b.name ? 1 : -1));
    for (const { name, type } of entries) {
      const path = joinPath(folder, name);
      if (type === 'link') {
        counts.links++;
        onPassedOver?.(path, 'link');
        continue;
      }
      if (type === 'other') continue;
      const isFolder = type === 'folder';
      const secret = secretName(name, parent, isFolder);
      if (secret) withhold(secret, path);
      else if (run.isExcluded(path)) withhold('excluded', path);
      else if (rules.isIgnored(level, name, isFolder)) withhold('ignored', path);
      else if (isFolder || isWanted(path)) pending.push({ path, isFolder });
    }
  }
}

export function comparePaths(a: string, b: string): number {
  const [keyA, keyB] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')];
  return keyA < keyB ? -1 : keyA > keyB ? 1 : 0;
}
