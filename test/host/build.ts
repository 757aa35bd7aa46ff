// esbuild.mjs finds the repository by its own path, so it is imported from there, not bundled.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './paths.ts';
import { runProcess } from './processes.ts';

type Build = typeof import('../../esbuild.mjs');

export const { buildTests }: Build = await import(pathToFileURL(join(root, 'esbuild.mjs')).href);

export async function buildExtension(): Promise<void> {
  const { succeeded, output } = await runProcess(process.execPath, [join(root, 'esbuild.mjs')]);
  if (!succeeded) throw new Error(`The extension could not be built:\n${output}`);
}
