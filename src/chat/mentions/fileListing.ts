import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import { Deferred } from '../../base/async/promises.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import type { FoundMentions } from './mention.ts';
import { foldersOf } from './findPaths.ts';

/** Their paths take 20 MB. */
const mostFiles = 250_000;
const firstFiles = 20_000;

export interface ListedFiles {
  files: readonly string[];
  folders: readonly string[];
  note?: FoundMentions['note'];
}

/** Neither promise rejects. */
export interface FileListing {
  first: Promise<ListedFiles>;
  all: Promise<ListedFiles>;
  isComplete: boolean;
}

/** @param listNames fallback where tools may not list; these names are shown to the user only */
export function listFiles(
  { search }: ToolDependencies,
  listNames: (limit: number, signal: AbortSignal) => Promise<string[]>,
): FileListing {
  const files: string[] = [];
  const enough = new Deferred();
  const list = async (): Promise<ListedFiles> => {
    // Outlives a single query, as the next keystrokes use the same list.
    const { signal } = new AbortController();
    const query = { path: undefined, include: [], exclude: [], search: undefined, skip: 0, limit: mostFiles };
    const found = await search.run(query, signal, (batch) => {
      for (const { shown } of batch) files.push(shown);
      if (files.length >= firstFiles) enough.resolve();
    });
    if ('reason' in found) {
      const names = await listNames(firstFiles, signal);
      return listed(names, names.length >= firstFiles);
    }
    // A missing summary means the search timed out.
    return listed(files, found.isPartial || found.summary?.hasMore !== false);
  };
  const all = list().catch(() => withFolders([]));
  const first = enough.promise.then(() => withFolders(files.slice(0, firstFiles)));
  const listing: FileListing = { first: Promise.race([first, all]), all, isComplete: false };
  void all.then(() => (listing.isComplete = true));
  return listing;
}

function listed(files: readonly string[], isCut: boolean): ListedFiles {
  const note = plural(
    files.length,
    l10n.t('Only 1 file is listed. For another one, type its full path.'),
    l10n.t(
      'Only the first {0} files are listed. For another one, type its full path.',
      formatNumber(files.length),
    ),
  );
  return { ...withFolders(files), ...(isCut && { note }) };
}

function withFolders(files: readonly string[]): ListedFiles {
  return { files, folders: foldersOf(files) };
}
