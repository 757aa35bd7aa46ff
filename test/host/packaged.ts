import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { outFolder, root } from './paths.ts';
import { runProcess } from './processes.ts';
import { vscodeFiles } from './vscodeFiles.ts';

const vsix = join(root, 'dist', 'switchboard.vsix');
const installations = join(outFolder, 'installed');
const dayMs = 24 * 60 * 60 * 1000;

export async function packageExtension(): Promise<void> {
  await npm(root, ['run', 'package']);
}

/**
 * `toolProvider` registers tools for models, one of which refuses ours; `bareEdits` edits when a file asks
 * for it; `opener` opens the panel in every window; `emptyView` has a bare text box.
 */
export type Companion = 'bareEdits' | 'emptyView' | 'opener' | 'toolProvider';

/** The extensions folder for a code-server with the VSIX; installed once per VSIX and its companions. */
export async function installedExtension(companions: readonly Companion[] = []): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(vsix))
    .digest('hex');
  const folder = join(installations, [hash.slice(0, 16), ...companions].join('-'));
  const extensions = join(folder, 'extensions');
  const mark = join(folder, 'complete');
  await withLock(`${folder}.lock`, async () => {
    if (existsSync(mark)) return;
    await removeOldInstallations();
    await rm(folder, { recursive: true, force: true });
    await mkdir(extensions, { recursive: true });
    const files = [vsix];
    for (const companion of companions) files.push(await packageCompanion(companion, folder));
    await install(files, extensions, join(folder, 'data'));
    await writeFile(mark, '');
  });
  return extensions;
}

/** Removes old ones, as each VSIX built adds one; today's may be in use. */
async function removeOldInstallations(): Promise<void> {
  for (const entry of await readdir(installations)) {
    const path = join(installations, entry);
    if (Date.now() - (await stat(path)).mtimeMs > dayMs) await rm(path, { recursive: true, force: true });
  }
}

async function packageCompanion(name: Companion, folder: string): Promise<string> {
  const target = join(folder, `${name}.vsix`);
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = ['package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '-o', target];
  const cwd = join(root, 'test', 'host', 'companions', name);
  const { succeeded, output } = await runProcess(process.execPath, [vsce, ...args], { cwd });
  if (!succeeded) throw new Error(`${name} could not be packaged:\n${output}`);
  return target;
}

async function install(files: string[], extensionsFolder: string, dataFolder: string): Promise<void> {
  const { node, codeServer } = await vscodeFiles();
  const { succeeded, output } = await runProcess(node, [
    codeServer,
    ...['--config', join(dataFolder, 'config.yaml')],
    ...['--user-data-dir', dataFolder],
    ...['--extensions-dir', extensionsFolder],
    ...files.flatMap((file) => ['--install-extension', file]),
  ]);
  if (!succeeded) throw new Error(`The VSIX could not be installed:\n${output}`);
}
