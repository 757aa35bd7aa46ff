import fuzzysort from 'fuzzysort';
import { folderOf, nameOf, type Mention } from './mention.ts';

interface Target {
  path: string;
  isFolder: boolean;
  name: Fuzzysort.Prepared;
  whole: Fuzzysort.Prepared;
}

/** A worse likeness than this is none. */
const threshold = 0.25;

/** The files of the workspace and the folders they lie in, to be found by a few of their letters. */
export class FileIndex {
  private readonly targets: readonly Target[];

  constructor(paths: readonly string[]) {
    const folders = new Set<string>();
    for (const path of paths) {
      for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder)) {
        folders.add(folder);
      }
    }
    this.targets = [
      ...[...folders].toSorted().map((path) => toTarget(path, true)),
      ...paths.map((path) => toTarget(path, false)),
    ];
  }

  /** The best first; for an empty query what lies at the top. */
  find(query: string, limit: number): Mention[] {
    if (query === '') {
      return this.targets
        .filter(({ path }) => !path.includes('/'))
        .slice(0, limit)
        .map(toMention);
    }
    // The name says more than the folders before it.
    const found = fuzzysort.go(query, this.targets, {
      keys: ['name', 'whole'],
      limit,
      threshold,
      scoreFn: (result) => Math.max(result[0]?.score ?? 0, (result[1]?.score ?? 0) * 0.9),
    });
    return found.map(({ obj }) => toMention(obj));
  }
}

function toTarget(path: string, isFolder: boolean): Target {
  return { path, isFolder, name: fuzzysort.prepare(nameOf(path)), whole: fuzzysort.prepare(path) };
}

function toMention({ path, isFolder }: Target): Mention {
  const folder = folderOf(path);
  return {
    source: { type: 'path', path },
    kind: isFolder ? 'folder' : 'file',
    label: isFolder ? `${nameOf(path)}/` : nameOf(path),
    ...(folder && { detail: folder }),
  };
}
