import { relativeInside } from '../files/fileSystem.ts';
import type { WorkspaceFolder } from '../files/workspace.ts';

export type ParsedPath =
  | { folders: readonly WorkspaceFolder[]; relative: string }
  | { problem: 'invalid' | 'outside'; why: string };

/** Parses without access, decoding or expansion; all possible folders are returned in order. */
export function parsePath(
  input: string,
  folders: readonly WorkspaceFolder[],
  isWindows: boolean,
): ParsedPath {
  const invalid = (why: string): ParsedPath => ({ problem: 'invalid', why });
  const outside = (why: string): ParsedPath => ({ problem: 'outside', why });
  // eslint-disable-next-line no-control-regex -- these are what it looks for
  if (/[\u0000-\u001f\u007f]/.test(input)) return invalid('it has a control character in it');
  if (input.length > 4096) return invalid('it is longer than any path');
  const path = isWindows ? input.replaceAll('\\', '/') : input;
  if (/^~(\/|$)/.test(path)) return outside('"~" is not expanded, and a home folder is not in the workspace');
  if (/^file:/i.test(path)) return invalid('it is a URI; give a plain path');
  const absolute = absoluteForm(path, isWindows);
  if (absolute === 'drive-relative') return invalid('it depends on the current drive; give a relative path');
  if (absolute === 'device') return outside('device paths are not in the workspace');

  if (absolute === 'absolute' || folders.some(({ path: root }) => isUriOf(path, root))) {
    const clean = withoutDots(path);
    if (clean === undefined) return outside('it leads above the root');
    for (const folder of byDepth(folders)) {
      const relative = relativeInside(folder.path, clean, isWindows);
      if (relative !== undefined) return checked([folder], relative, isWindows);
    }
    return outside('it is not inside a workspace folder');
  }
  const relative = withoutDots(path);
  if (relative === undefined) return outside('".." leads out of the workspace folder');
  if (folders.length > 1) {
    const [first = '', ...rest] = relative.split('/');
    const named = folders.filter(({ name }) => name === first);
    if (named.length > 0) return checked(named, rest.join('/'), isWindows);
  }
  return checked(folders, relative, isWindows);
}

function checked(folders: readonly WorkspaceFolder[], relative: string, isWindows: boolean): ParsedPath {
  const wrong = isWindows ? relative.split('/').find(isTreacherousOnWindows) : undefined;
  if (wrong !== undefined) {
    return { problem: 'invalid', why: `Windows would understand "${wrong}" as something else` };
  }
  return { folders, relative };
}

/** Streams (`a:b`), wildcards, trailing dots and spaces, and device names. */
function isTreacherousOnWindows(name: string): boolean {
  return (
    /[:*?"<>|]/.test(name) ||
    /[. ]$/.test(name) ||
    /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i.test(name)
  );
}

function absoluteForm(
  path: string,
  isWindows: boolean,
): 'absolute' | 'relative' | 'drive-relative' | 'device' {
  if (!isWindows) return path.startsWith('/') ? 'absolute' : 'relative';
  if (/^\/\/[.?]\//.test(path) || path.startsWith('/??/')) return 'device';
  if (path.startsWith('//') || /^[a-z]:\//i.test(path)) return 'absolute';
  return path.startsWith('/') || /^[a-z]:/i.test(path) ? 'drive-relative' : 'relative';
}

function isUriOf(path: string, root: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(root) && path.startsWith(root);
}

/** Resolves `.` and `..`; undefined above the root. Keeps a leading `/`, `//` or `C:`. */
function withoutDots(path: string): string | undefined {
  const [, lead = '', rest = ''] = /^([a-z][a-z0-9+.-]+:\/\/[^/]*|[a-z]:\/|\/{0,2})(.*)$/is.exec(path) ?? [];
  const names: string[] = [];
  for (const name of rest.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return undefined;
    } else if (name !== '' && name !== '.') names.push(name);
  }
  const joined = names.join('/');
  return lead.includes('://') && joined !== '' ? `${lead}/${joined}` : lead + joined;
}

function byDepth(folders: readonly WorkspaceFolder[]): WorkspaceFolder[] {
  return folders.toSorted((a, b) => b.path.length - a.path.length);
}
