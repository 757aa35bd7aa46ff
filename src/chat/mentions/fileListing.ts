import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/format.ts';
import { Deferred } from '../../base/deferred.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import type { FoundMentions } from './mention.ts';
import { foldersOf } from './findPaths.ts';

/** Their paths alone take 20 MB. */
const mostFiles = 250_000;
/** What is offered before a larger workspace is listed to the end. */
const firstFiles = 20_000;

export interface ListedFiles {
  files: readonly string[];
  folders: readonly string[];
  /** There may be more; see `FoundMentions.note`. */
  note?: FoundMentions['note'];
}

/** The paths of the workspace's files. Neither promise rejects. */
export interface FileListing {
  /** The first of them, or all where these are not many. */
  first: Promise<ListedFiles>;
  all: Promise<ListedFiles>;
  isComplete: boolean;
}

/** @param listNames for where the tools may not list: the names are for the user alone */
export function listFiles(
  { search }: ToolDependencies,
  listNames: (limit: number, signal: AbortSignal) => Promise<string[]>,
): FileListing {
  const files: string[] = [];
  const enough = new Deferred();
  const list = async (): Promise<ListedFiles> => {
    // Not the query's signal: the list serves the next letters too. The search ends by itself in time.
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
    // Without a summary the time was over before the files were.
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
    l10n.t('Only 1 file is listed. For another one, type its whole path.'),
    l10n.t(
      'Only the first {0} files are listed. For another one, type its whole path.',
      formatNumber(files.length),
    ),
  );
  return { ...withFolders(files), ...(isCut && { note }) };
}

function withFolders(files: readonly string[]): ListedFiles {
  return { files, folders: foldersOf(files) };
}
