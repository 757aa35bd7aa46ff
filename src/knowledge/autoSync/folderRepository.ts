import { joinPath, relativeInside } from '../../tools/files/fileSystem.ts';
import { nodeFileSystem } from '../../tools/files/nodeFileSystem.ts';
import { GitRepository } from '../../tools/git/gitRepository.ts';
import type { FolderRepository } from './syncedFolder.ts';

/** Longer command lines are refused by some systems. */
const mostPaths = 200;

export interface GitPlace {
  program: string;
  root: string;
}

/** The repository of a folder, found for each question, since the editor's Git may start later. */
export function createFolderRepository(
  folder: string,
  find: () => Promise<GitPlace | undefined>,
): FolderRepository {
  const open = async () => {
    const place = await find();
    if (!place) return undefined;
    const [root, real] = await Promise.all([
      nodeFileSystem.realPath(place.root),
      nodeFileSystem.realPath(folder),
    ]);
    const below = relativeInside(root, real, process.platform === 'win32');
    if (below === undefined) return undefined;
    return { git: new GitRepository(place.program, place.root), root, below };
  };
  // Each look begins with HEAD, and its other questions are about the same.
  let current: ReturnType<typeof open> | undefined;
  return {
    async head(signal) {
      current = open();
      const opened = await current;
      return opened?.git.head(signal);
    },
    async changedBetween(from, to, signal) {
      const opened = await (current ??= open());
      if (!opened) return undefined;
      const { git, below } = opened;
      if (from === to) return [];
      // An older commit may be gone after a rewrite.
      const names = await git.changedBetween(from, to, signal).catch(() => undefined);
      signal.throwIfAborted();
      return names?.flatMap((name) => {
        const relative = below === '' ? name : relativeInside(below, name, false);
        return relative === undefined ? [] : [joinPath(folder, relative)];
      });
    },
    async uncommitted(of, signal) {
      const opened = await (current ??= open());
      if (!opened) return { changed: new Set(), deleted: [] };
      const { git, root, below } = opened;
      const paths = of && of.length <= mostPaths ? of : [folder];
      const relative = paths.map((path) => joinPath(below, path.slice(folder.length + 1)));
      const entries = await git.uncommitted(relative.includes('') ? [] : relative, signal);
      const [changed, deleted] = [new Set<string>(), new Array<string>()];
      for (const { path, isDeleted } of entries) {
        const inFolder = below === '' ? path : relativeInside(below, path, false);
        if (isDeleted && inFolder !== undefined) deleted.push(joinPath(folder, inFolder));
        else changed.add(joinPath(root, path));
      }
      return { changed, deleted };
    },
  };
}
