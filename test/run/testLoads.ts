import { build } from 'esbuild';
import { root } from '../host/paths.ts';

/** Files that each test loads through imports, itself included; paths below the folder. */
export type TestLoads = ReadonlyMap<string, ReadonlySet<string>>;

export async function readLoads(tests: readonly string[], folder = root): Promise<TestLoads> {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [...tests],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    jsx: 'automatic',
    outdir: 'out/loads',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return new Map(
    Object.values(metafile.outputs).map(({ entryPoint = '', inputs }) => [
      entryPoint,
      new Set(Object.keys(inputs)),
    ]),
  );
}

/** Tests that load a file, those that load the least beside it first. */
export function testsLoading(file: string, tests: readonly string[], loads: TestLoads): string[] {
  const sizeOf = (test: string) => loads.get(test)?.size ?? 0;
  return tests.filter((test) => loads.get(test)?.has(file)).toSorted((a, b) => sizeOf(a) - sizeOf(b));
}
