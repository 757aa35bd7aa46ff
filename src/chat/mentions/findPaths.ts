import fuzzysort from 'fuzzysort';
import { escapeRegExp } from '../../base/escapeRegExp.ts';
import { folderOf, nameOf, type Mention } from './mention.ts';

/** A worse likeness than this is none. */
const threshold = 0.25;

/**
 * So many paths are compared letter by letter. To keep what that needs for each of 200,000 would take 200 MB, and
 * 0.7 s a key.
 */
const mostCompared = 2000;

interface Target {
  path: string;
  isFolder: boolean;
}

/** Files and folders by a few of their letters, the best first; for an empty query what lies at the top. */
export function findPaths(
  query: string,
  { files, folders }: { files: readonly string[]; folders: readonly string[] },
  limit: number,
): Mention[] {
  if (query === '') {
    const isAtTop = (path: string) => !path.includes('/');
    return [
      ...folders.filter(isAtTop).map((path) => toMention({ path, isFolder: true })),
      ...files.filter(isAtTop).map((path) => toMention({ path, isFolder: false })),
    ].slice(0, limit);
  }
  const likely = (paths: readonly string[], isFolder: boolean) =>
    likeliest(query, paths).map((path) => ({
      target: { path, isFolder },
      name: fuzzysort.prepare(nameOf(path)),
      whole: fuzzysort.prepare(path),
    }));
  const prepared = [...likely(folders, true), ...likely(files, false)];
  // The name says more than the folders before it.
  const found = fuzzysort.go(query, prepared, {
    keys: ['name', 'whole'],
    limit,
    threshold,
    scoreFn: (result) => Math.max(result[0]?.score ?? 0, (result[1]?.score ?? 0) * 0.9),
  });
  return found.map(({ obj }) => toMention(obj.target));
}

/** The folders that files lie in, in order. */
export function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of files) {
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder)) {
      folders.add(folder);
    }
  }
  return [...folders].toSorted();
}

/** Those that have the letters of each word in order; where these are too many, the ones whose names are most like it. */
function likeliest(query: string, paths: readonly string[]): readonly string[] {
  const words = query.split(/\s+/u).filter(Boolean);
  const tests = words.map((word) => new RegExp(`^${lettersOf(word, '')}`, 'iu'));
  const having = paths.filter((path) => tests.every((test) => test.test(path)));
  if (having.length <= mostCompared) return having;
  const written = escapeRegExp(query.trim());
  const closest = [
    new RegExp(`(?:^|/)${written}[^/]*$`, 'iu'),
    new RegExp(`${written}[^/]*$`, 'iu'),
    ...words.slice(0, 1).map((word) => new RegExp(`(?:^|/)${lettersOf(word, '/')}[^/]*$`, 'iu')),
  ];
  const ranks: string[][] = Array.from({ length: closest.length + 1 }, () => []);
  for (const path of having) {
    const same = ranks.at(closest.findIndex((test) => test.test(path)));
    if (same && same.length < mostCompared) same.push(path);
    if (ranks[0]?.length === mostCompared) break;
  }
  return ranks.flat().slice(0, mostCompared);
}

/** An expression for letters in order, with others but `without` between them. Goes through no text twice. */
function lettersOf(word: string, without: string): string {
  return Array.from(word)
    .map((letter) => letter.replaceAll(/[\\\]^-]/gu, String.raw`\$&`))
    .map((letter) => `[^${letter}${without}]*[${letter}]`)
    .join('');
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
