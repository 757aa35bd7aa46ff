import fuzzysort from 'fuzzysort';
import { folderOf, nameOf, type Mention } from './mention.ts';

/** Minimum fuzzysort score. */
const threshold = 0.25;

/** Preparing 200,000 paths would take 200 MB, and 0.7 s per keystroke. */
const mostCompared = 1000;

interface Target {
  path: string;
  isFolder: boolean;
}

/** Fuzzy matches, best first; the top level for an empty query. */
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
  const found = fuzzysort.go(query, prepared, {
    keys: ['name', 'whole'],
    limit,
    threshold,
    scoreFn: (result) => Math.max(result[0]?.score ?? 0, (result[1]?.score ?? 0) * 0.9),
  });
  return found.map(({ obj }) => toMention(obj.target));
}

export function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of files) {
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder)) {
      folders.add(folder);
    }
  }
  return [...folders].toSorted();
}

function likeliest(query: string, paths: readonly string[]): readonly string[] {
  const written = query.trim().toLowerCase();
  const words = written.split(/\s+/u).map((word) => Array.from(word));
  const ranks: [string[], string[], string[], string[]] = [[], [], [], []];
  for (const path of paths) {
    const rank = rankOf(path, written, words, ranks[3].length < mostCompared);
    if (rank !== undefined && ranks[rank].length < mostCompared) ranks[rank].push(path);
    if (ranks[0].length === mostCompared) break;
  }
  return ranks.flat().slice(0, mostCompared);
}

/** 0: the name or a path suffix begins with the query; 1: contains it; 2: name letters match; 3: path letters match. */
function rankOf(
  path: string,
  written: string,
  words: readonly (readonly string[])[],
  withPath: boolean,
): 0 | 1 | 2 | 3 | undefined {
  const text = path.toLowerCase();
  const name = text.lastIndexOf('/') + 1;
  const isOfPath = written.includes('/');
  const at = isOfPath ? text.lastIndexOf(written) : text.indexOf(written, name);
  if (at >= 0 && at + written.length >= name) return at === 0 || text[at - 1] === '/' ? 0 : 1;
  const inName = !isOfPath && hasLetters(text, words[0] ?? [], name);
  if (inName && words.length === 1) return 2;
  if (!inName && !withPath) return undefined;
  if (!words.every((word) => hasLetters(text, word, 0))) return undefined;
  return inName ? 2 : 3;
}

function hasLetters(text: string, letters: readonly string[], from: number): boolean {
  let at = from;
  for (const letter of letters) {
    const found = text.indexOf(letter, at);
    if (found < 0) return false;
    at = found + letter.length;
  }
  return true;
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
