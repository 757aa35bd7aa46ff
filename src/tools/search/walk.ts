import { type FileAccess, joinPath } from '../fileAccess.ts';
import { type PolicyRun, systemReason } from '../policy/policyRun.ts';
import type { RefusalReason } from '../policy/refusal.ts';
import { secretName } from '../policy/secretFiles.ts';
import type { PathTest } from '../../base/glob.ts';

export interface WalkCounts {
  /** Of files and folders that were passed over; a folder counts as one. */
  withheld: Map<RefusalReason, number>;
  /** Links are not followed: what they lead to is found where it is, or is not ours. */
  links: number;
  unreadableFolders: number;
}

/** Hears of each path that is passed over, a folder once, before the next file is given. */
export type OnPassedOver = (path: string, reason: RefusalReason | 'link') => void;

export function emptyCounts(): WalkCounts {
  return { withheld: new Map(), links: 0, unreadableFolders: 0 };
}

/**
 * All files below a folder that the policy lets through, folder by folder, in the order of `comparePaths`.
 * @param root real path of the workspace folder
 * @param start folder below it to begin at, already judged
 */
export async function* walkFiles(
  {
    access,
    run,
    counts,
    onPassedOver,
  }: { access: FileAccess; run: PolicyRun; counts: WalkCounts; onPassedOver?: OnPassedOver },
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

  // A stack of what is still to come, the next on top, so that depth costs no recursion.
  const pending: { path: string; isFolder: boolean }[] = [{ path: start, isFolder: true }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (!next.isFolder) {
      yield next.path;
      continue;
    }
    signal?.throwIfAborted();
    const folder = next.path;
    const entries = await access.list(joinPath(root, folder)).catch((error: unknown) => {
      // Somebody may delete while we look; other failures are told.
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

/** The order in which `walkFiles` finds files: by the names along the path. */
export function comparePaths(a: string, b: string): number {
  const [keyA, keyB] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')];
  return keyA < keyB ? -1 : keyA > keyB ? 1 : 0;
}
