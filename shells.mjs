// Writes down what the page shows until its script goes on from there, drawn by the page's own components.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';

/**
 * Beside the page's script, for each language that there are texts in: `shell.html`, `shell.zh-cn.html`.
 * @returns {import('esbuild').Plugin}
 */
export function shells() {
  return {
    name: 'shells',
    setup({ initialOptions, onEnd }) {
      onEnd(async ({ errors }) => {
        if (errors.length > 0) return;
        const root = initialOptions.absWorkingDir ?? process.cwd();
        const renderShell = await loadRenderShell(root);
        const folder = join(root, 'media', 'l10n');
        const outdir = resolve(root, initialOptions.outdir ?? '');
        await writeFile(join(outdir, 'shell.html'), renderShell({}));
        for (const file of await readdir(folder)) {
          const texts = JSON.parse(await readFile(join(folder, file), 'utf8'));
          const name = file.replace(/^bundle\.l10n\.(.*)\.json$/, 'shell.$1.html');
          await writeFile(join(outdir, name), renderShell(texts));
        }
      });
    },
  };
}

/**
 * @param {string} root
 * @returns {Promise<(texts: Record<string, string>) => string>}
 */
async function loadRenderShell(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/webview/shell.tsx'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'silent',
    plugins: [
      {
        name: 'nothing-later',
        setup({ onResolve }) {
          onResolve({ filter: /./ }, ({ kind, path }) =>
            kind === 'dynamic-import' ? { path, external: true } : undefined,
          );
        },
      },
    ],
  });
  /** @type {{ exports: { renderShell?: (texts: Record<string, string>) => string } }} */
  const module = { exports: {} };
  const run = compileFunction(outputFiles[0]?.text ?? '', ['module', 'exports', 'require']);
  run(module, module.exports, createRequire(import.meta.url));
  const { renderShell } = module.exports;
  if (!renderShell) throw new Error('There is nothing that draws the shell.');
  return renderShell;
}
