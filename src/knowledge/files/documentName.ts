import { createHash } from 'node:crypto';
import { slashLookalike } from '../../base/files/safeFileName.ts';

export interface DocumentOrigin {
  /** Shown path: relative to its workspace folder, with the folder's name if there are several. */
  path: string;
  /** 1-based and inclusive, for a selection. */
  lines?: { start: number; end: number };
}

export interface IndexedOrigin extends DocumentOrigin {
  hash?: string;
  commit?: string;
}

export interface NamedSource {
  workspace: string;
  origin: DocumentOrigin;
  how: 'file' | 'text';
}

/** The server cuts longer names, and two that differ behind the cut would replace each other. */
export const longestName = 200;

/** Unique: `workspace/path`, hashed if long, like generated or with refused characters. Source: platform-api.md 7.3. */
export function documentName({ workspace, origin, how }: NamedSource): string {
  const { path, lines } = origin;
  const suffix = lines ? linesOf(lines) : '';
  const whole = inWorkspace(workspace, path);
  const plain = how === 'file' ? whole.replaceAll('/', slashLookalike) : whole;
  const fits = plain.length + suffix.length <= longestName;
  if (fits && isFaithful(workspace, path, how) && !looksMade(plain, suffix)) return plain + suffix;

  const hash = createHash('sha256')
    .update(JSON.stringify([how, workspace, path]))
    .digest('hex')
    .slice(0, 12);
  const extension = /\.[A-Za-z0-9]{1,16}$/.exec(path)?.[0] ?? '';
  const mark = `~${hash}${extension}`;
  const stem = writable(plain.slice(0, plain.length - extension.length), how);
  return withEnd(stem, longestName - mark.length - suffix.length) + mark + suffix;
}

function inWorkspace(workspace: string, path: string): string {
  return workspace === '' ? path : `${workspace}/${path}`;
}

function linesOf({ start, end }: { start: number; end: number }): string {
  return start === end ? ` (line ${start})` : ` (lines ${start}-${end})`;
}

const unwritable = /[\\:*?"<>|\u2215]/g;
const unspeakable = /\p{Cc}/gu;

function isFaithful(workspace: string, path: string, how: NamedSource['how']): boolean {
  const whole = inWorkspace(workspace, path);
  if (/[\\/\u2215]/.test(workspace) || !whole.isWellFormed() || whole.search(unspeakable) >= 0) return false;
  return how === 'text' || whole.search(unwritable) < 0;
}

function looksMade(plain: string, suffix: string): boolean {
  return (
    /~[0-9a-f]{12}(\.[A-Za-z0-9]{1,16})?$/.test(plain) || (suffix === '' && / \(lines? [\d-]+\)$/.test(plain))
  );
}

function writable(stem: string, how: NamedSource['how']): string {
  const spoken = stem.toWellFormed().replace(unspeakable, '_');
  return how === 'text'
    ? spoken
    : spoken.replace(unwritable, (character) => (character === slashLookalike ? slashLookalike : '_'));
}

/** The end of a path says more than its beginning. */
function withEnd(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.slice(text.length - length + 1);
  return `…${/^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end}`;
}
