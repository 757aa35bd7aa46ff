export interface ListedPath {
  path: string;
  verdict: string;
}

/** @param list lines of a verdict, a colon and a path */
export function listedPaths(list: string): ListedPath[] {
  return list
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [verdict = ''] = line.split(': ', 1);
      return { path: line.slice(verdict.length + 2), verdict };
    });
}
