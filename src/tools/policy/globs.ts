import { globProblem, globTest, type PathTest } from '../../base/glob.ts';

/**
 * A test for paths that a setting excludes, as the editor reads such globs: they fit the whole path, and what
 * lies in a folder that fits is excluded with it (the caller asks for each folder of a path). A glob that cannot
 * be read excludes everything: better nothing is read than what somebody meant to keep.
 */
export function exclusionTest(globs: readonly string[], ignoreCase: boolean): PathTest {
  const names = new Set<string>();
  const tests: PathTest[] = [];
  for (const glob of globs) {
    // `**/name` is most of what people exclude, and a set answers it at once.
    const name = /^\*\*\/([\w.-]+)$/.exec(glob)?.[1];
    if (name !== undefined) names.add(ignoreCase ? name.toLowerCase() : name);
    else tests.push(pathTest(glob, ignoreCase));
  }
  return (relative) => {
    const last = relative.slice(relative.lastIndexOf('/') + 1);
    return names.has(ignoreCase ? last.toLowerCase() : last) || tests.some((test) => test(relative));
  };
}

/** `*.log` and `build` mean any depth in our own setting and from models, as in an ignore file. */
export function anywhere(glob: string): string {
  const trimmed = glob.replace(/^\.?\/+/, '').replace(/\/+$/, '');
  return trimmed.includes('/') ? trimmed : `**/${trimmed}`;
}

/**
 * A test for the globs of a tool's argument: a glob that names a folder takes in all below it. Without globs
 * everything passes.
 */
export function selectionTest(globs: readonly string[], ignoreCase: boolean): PathTest {
  if (globs.length === 0) return () => true;
  const tests = globs.map((glob) =>
    globProblem(glob) ? () => true : globTest(`${anywhere(glob)}/**`, { ignoreCase }),
  );
  return (relative) => tests.some((test) => test(relative));
}

function pathTest(glob: string, ignoreCase: boolean): PathTest {
  return globProblem(glob) ? () => true : globTest(glob, { ignoreCase });
}
