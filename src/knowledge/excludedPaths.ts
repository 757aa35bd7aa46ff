import { globProblem, globTest } from '../base/glob.ts';

/**
 * A test for the paths that the setting `knowledge.exclude` keeps out, with globs as the editor reads those of
 * `files.exclude`: they fit the whole path, and what lies in a folder that fits is out with it. A glob that cannot
 * be read keeps everything out: better nothing is sent than what somebody meant to keep.
 */
export function excludedPaths(globs: readonly string[]): (path: string) => boolean {
  const tests = globs.map(pathTest);
  if (tests.length === 0) return () => false;
  const folders = new Map<string, boolean>();
  const isOut = (path: string): boolean => {
    const cut = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(0, cut));
    let isFolderOut = folders.get(folder);
    if (isFolderOut === undefined) {
      isFolderOut = folder !== '' && isOut(folder);
      folders.set(folder, isFolderOut);
    }
    return isFolderOut || tests.some((test) => test(path));
  };
  return isOut;
}

function pathTest(glob: string): (path: string) => boolean {
  if (globProblem(glob)) return () => true;
  // `*.log` and `build` mean any depth, as in an ignore file.
  const trimmed = glob.replace(/^\.?\/+/, '').replace(/\/+$/, '');
  return globTest(trimmed.includes('/') ? trimmed : `**/${trimmed}`);
}
