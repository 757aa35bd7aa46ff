import { type FileSystem, joinPath } from '../files/fileSystem.ts';
import { isThere } from '../policy/ignoreRules.ts';
import type { PolicyRules } from '../files/workspace.ts';
import type { LinePattern } from './linePattern.ts';
import type { SearchTarget } from './searchJob.ts';
import { ripgrepPatterns } from './ripgrepPattern.ts';
import { comparePaths } from './walkFiles.ts';
import { ripgrepFiles } from './ripgrep.ts';

export async function ripgrepCandidates(
  program: string | undefined,
  target: SearchTarget,
  need: {
    pattern: LinePattern;
    rules: PolicyRules;
    access: FileSystem;
    found?: (files: readonly string[]) => void;
  },
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const patterns = ripgrepPatterns(need.pattern, target.encoding);
  if (program === undefined || !patterns) return undefined;
  const { root, start } = target;
  const ownIgnoreFile = joinPath(root, '.switchboardignore');
  const exists = (path: string) => isThere(need.access, path);
  const [hasOwnIgnoreFile, useParents] = await Promise.all([
    exists(ownIgnoreFile),
    isInRepository(root, exists),
  ]);
  const job = {
    folder: root,
    start,
    skip: ['**/.git', ...need.rules.filesExclude, ...need.rules.toolsExclude].filter((glob) =>
      /^\*\*\/[\w.-]+$/.test(glob),
    ),
    ignoreFiles: hasOwnIgnoreFile ? [ownIgnoreFile] : [],
    useParents,
  };
  const found = new Set<string>();
  for (const files of await Promise.all(
    patterns.map((pattern) => ripgrepFiles(program, { ...job, pattern }, signal, need.found)),
  )) {
    if (!files) return undefined;
    for (const file of files) found.add(file);
  }
  return [...found].toSorted(comparePaths);
}

async function isInRepository(root: string, exists: (path: string) => Promise<boolean>): Promise<boolean> {
  const names = root.split('/');
  for (let depth = names.length; depth > 1; depth--) {
    if (await exists(joinPath(names.slice(0, depth).join('/'), '.git'))) return true;
  }
  return false;
}
