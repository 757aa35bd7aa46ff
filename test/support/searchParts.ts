import { dirname } from 'node:path';
import { findRipgrep } from '../../src/tools/search/ripgrep.ts';
import { buildTests } from '../host/build.ts';
import { vscodeFiles } from '../host/vscodeFiles.ts';

let worker: Promise<string> | undefined;

export function builtWorker(): Promise<string> {
  worker ??= buildTests(['src/tools/search/searchWorker.ts'], 'out/tests/searchWorker').then(
    ([file = '']) => file,
  );
  return worker;
}

export async function vscodeRipgrep(): Promise<string> {
  const { server } = await vscodeFiles();
  const found = findRipgrep(dirname(dirname(server)), { path: '' });
  if (!found) throw new Error('VS Code has no ripgrep where findRipgrep looks.');
  return found;
}
