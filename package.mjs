// `npm run package`: builds the extension and packs dist/switchboard.vsix.
import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVSIX } from '@vscode/vsce';
import { toDetailsPage } from './detailsPage.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const stage = join(root, 'out', 'package');
// The same sources give the same bytes: the archive keeps the time of each file, in the local zone, and its mode.
process.env['SOURCE_DATE_EPOCH'] ??= String(Date.UTC(1980, 0, 1) / 1000);
process.env['TZ'] = 'UTC';

execFileSync(process.execPath, [join(root, 'esbuild.mjs'), '--production'], { stdio: 'inherit' });
await rm(stage, { recursive: true, force: true });
await mkdir(stage, { recursive: true });
for (const name of [
  ...['.vscodeignore', 'CHANGELOG.md', 'LICENSE', 'dist', 'media'],
  ...['package.nls.json', 'package.nls.zh-cn.json'],
]) {
  await cp(join(root, name), join(stage, name), { recursive: true });
}
/** @type {{ scripts?: object, knip?: object, repository?: unknown }} */
const { scripts: _, knip: __, ...manifest } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
await writeFile(join(stage, 'package.json'), JSON.stringify(manifest, undefined, 2));
const { readme, options } = toDetailsPage(await readFile(join(root, 'README.md'), 'utf8'), manifest);
await writeFile(join(stage, 'README.md'), readme);
for (const entry of await readdir(stage, { recursive: true, withFileTypes: true })) {
  if (entry.isFile()) await chmod(join(entry.parentPath, entry.name), 0o644);
}
/** @type {string[]} */
const warnings = [];
// There, vsce would say it in a form of its own.
delete process.env['GITHUB_ACTIONS'];
console.warn = (...parts) => void warnings.push(parts.join(' '));
await createVSIX({
  cwd: stage,
  packagePath: join(root, 'dist', 'switchboard.vsix'),
  dependencies: false,
  ...options,
});
// What a gallery would frown at is no package of ours.
if (warnings.length > 0) throw new Error(warnings.join('\n'));
