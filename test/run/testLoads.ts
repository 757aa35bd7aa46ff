import { build } from 'esbuild';
import { root } from '../host/paths.ts';

/** Files that each test loads through imports, itself included; paths below the repository. */
export type TestLoads = ReadonlyMap<string, ReadonlySet<string>>;

export async function readLoads(tests: readonly string[]): Promise<TestLoads> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...tests],
    bundle: true,
    // A script for each test would repeat what they share.
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    jsx: 'automatic',
    outdir: 'out/loads',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const { outputs } = metafile;
  const filesOf = (output: string, seen = new Set<string>()): string[] => {
    if (seen.has(output)) return [];
    seen.add(output);
    const { inputs = {}, imports = [] } = outputs[output] ?? {};
    return [...Object.keys(inputs), ...imports.flatMap(({ path }) => filesOf(path, seen))];
  };
  return new Map(
    Object.entries(outputs).flatMap(([output, { entryPoint }]) =>
      entryPoint === undefined || !tests.includes(entryPoint) ? [] : [[entryPoint, new Set(filesOf(output))]],
    ),
  );
}

/** Tests that load a file, those that load the least beside it first. */
export function testsLoading(file: string, tests: readonly string[], loads: TestLoads): string[] {
  const sizeOf = (test: string) => loads.get(test)?.size ?? 0;
  return tests.filter((test) => loads.get(test)?.has(file)).toSorted((a, b) => sizeOf(a) - sizeOf(b));
}
