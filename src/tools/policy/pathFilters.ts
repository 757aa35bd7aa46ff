import { globProblem, globTest, type PathTest } from '../../base/files/matchGlob.ts';

/** A test for excluded paths and folders by globs of whole paths; an unreadable glob excludes everything. */
export function exclusionTest(globs: readonly string[], ignoreCase: boolean): PathTest {
  const names = new Set<string>();
  const tests: PathTest[] = [];
  for (const glob of globs) {
    const name = /^\*\*\/([\w.-]+)$/.exec(glob)?.[1];
    if (name !== undefined) names.add(ignoreCase ? name.toLowerCase() : name);
    else tests.push(pathTest(glob, ignoreCase));
  }
  return (relative) => {
    const last = relative.slice(relative.lastIndexOf('/') + 1);
    return names.has(ignoreCase ? last.toLowerCase() : last) || tests.some((test) => test(relative));
  };
}

/** Lets a glob without a slash match at any depth. */
export function anywhere(glob: string): string {
  const trimmed = glob.replace(/^\.?\/+/, '').replace(/\/+$/, '');
  return trimmed.includes('/') ? trimmed : `**/${trimmed}`;
}

/** A test for globs of a tool's argument, which include everything below a folder; no globs match all. */
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
