import { decoderLabel } from '../decodeText.ts';
import { type FileAccess, joinPath } from '../fileAccess.ts';
import { isThere } from '../policy/ignoreRules.ts';
import type { PolicyRules } from '../workspace.ts';
import type { LinePattern } from './pattern.ts';
import type { SearchTarget } from './protocol.ts';
import { ripgrepFiles } from './ripgrep.ts';
import { ripgrepPattern } from './ripgrepPattern.ts';
import { comparePaths } from './walk.ts';

/** In order, at least all files with a match that the policy lets through; undefined where ripgrep cannot tell. */
export async function ripgrepCandidates(
  program: string | undefined,
  target: SearchTarget,
  need: { pattern: LinePattern; rules: PolicyRules; access: FileAccess },
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const pattern = ripgrepPattern(need.pattern);
  if (program === undefined || !pattern || !isSingleByte(target.encoding)) return undefined;
  const { root, start } = target;
  const ownIgnoreFile = joinPath(root, '.switchboardignore');
  const exists = (path: string) => isThere(need.access, path);
  const [hasOwnIgnoreFile, useParents] = await Promise.all([
    exists(ownIgnoreFile),
    isInRepository(root, exists),
  ]);
  const files = await ripgrepFiles(
    program,
    {
      folder: root,
      start,
      pattern,
      skip: ['**/.git', ...need.rules.filesExclude, ...need.rules.toolsExclude].filter((glob) =>
        /^\*\*\/[\w.-]+$/.test(glob),
      ),
      ignoreFiles: hasOwnIgnoreFile ? [ownIgnoreFile] : [],
      useParents,
    },
    signal,
  );
  return files?.toSorted(comparePaths);
}

/** The pattern says what a high byte may stand for, and it must be one whole character. */
function isSingleByte(encoding: string | undefined): boolean {
  const label = decoderLabel(encoding) ?? 'utf-8';
  return /^(utf-8|windows-\d+|iso-8859-\d+|koi8-[ru]|macintosh|ibm866)$/.test(label);
}

async function isInRepository(root: string, exists: (path: string) => Promise<boolean>): Promise<boolean> {
  const names = root.split('/');
  for (let depth = names.length; depth > 1; depth--) {
    if (await exists(joinPath(names.slice(0, depth).join('/'), '.git'))) return true;
  }
  return false;
}
