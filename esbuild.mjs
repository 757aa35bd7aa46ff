// Builds the bundles: the extension host's, the page's, and the tests'.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';
import { thirdPartyNotices } from './licences.mjs';
import { shells } from './shells.mjs';
import { startScripts } from './startScripts.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * Gives what is imported as `….ts?script` as the text of a script of its own, with all it needs: the page may make a
 * worker of a text, but not of an address.
 * @param {boolean} minify
 * @param {(metafile: import('esbuild').Metafile) => void} [onBuilt] told what each script was made of
 * @returns {import('esbuild').Plugin}
 */
export function inlineScripts(minify, onBuilt) {
  return {
    name: 'inline-scripts',
    setup(outer) {
      // Below the repository: esbuild names chunks by a hash that the path goes into.
      outer.onResolve({ filter: /\?script$/ }, ({ path, resolveDir }) => ({
        path: relative(root, join(resolveDir, path.replace(/\?script$/, '')))
          .split(sep)
          .join('/'),
        namespace: 'inline-script',
      }));
      outer.onLoad({ filter: /.*/, namespace: 'inline-script' }, async ({ path }) => {
        const { outputFiles, metafile } = await build({
          absWorkingDir: root,
          entryPoints: [path],
          bundle: true,
          minify,
          write: false,
          metafile: true,
          platform: 'browser',
          format: 'iife',
          // What mermaid has for formulas and one more layout, as large as all the rest: diagrams do without.
          external: ['katex', 'elkjs', 'elkjs/*'],
          target: pageTarget,
          logLevel: 'silent',
        });
        onBuilt?.(metafile);
        const watchFiles = Object.keys(metafile.inputs).map((file) => join(root, file));
        return { contents: outputFiles[0]?.text ?? '', loader: 'text', watchFiles };
      });
    },
  };
}

/**
 * Escapes what esbuild leaves in regular expressions: one character that is not ASCII has the whole script kept with two
 * bytes for each, which takes a quarter longer to read.
 * @returns {import('esbuild').Plugin}
 */
function asciiScripts() {
  return {
    name: 'ascii-scripts',
    setup({ initialOptions, onEnd }) {
      onEnd(async ({ metafile }) => {
        const scripts = Object.keys(metafile?.outputs ?? {}).filter((path) => /\.m?js$/.test(path));
        for (const path of scripts) {
          const file = join(initialOptions.absWorkingDir ?? root, path);
          const text = await readFile(file, 'utf8');
          const escaped = text.replaceAll(
            /[^\0-\x7f]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
          );
          if (escaped !== text) await writeFile(file, escaped);
        }
      });
    },
  };
}

/**
 * The editor's API is asked for by `require`: where it is imported, the editor makes a module of all its names for each
 * extension and passes it through an address, which takes as long as to load all that is ours.
 * @returns {import('esbuild').Plugin}
 */
function editorApi() {
  return {
    name: 'editor-api',
    setup({ initialOptions, onResolve, onLoad }) {
      const folder = join(initialOptions.absWorkingDir ?? root, 'src');
      onResolve({ filter: /^vscode$/ }, ({ path, kind }) =>
        kind === 'require-call' ? { path, external: true } : { path, namespace: 'editor-api' },
      );
      onLoad({ filter: /.*/, namespace: 'editor-api' }, async () => {
        const entries = await readdir(folder, { recursive: true });
        const watchFiles = entries.filter((each) => each.endsWith('.ts')).map((each) => join(folder, each));
        const texts = await Promise.all(watchFiles.map((file) => readFile(file, 'utf8')));
        // What is only a type, or not of the editor, is used nowhere and left out again.
        const names = new Set(
          texts.flatMap((text) => [...text.matchAll(/\bvscode\.(\w+)/g)].map(([, name = '']) => name)),
        );
        const exported = [...names]
          .toSorted((one, other) => (one < other ? -1 : 1))
          .map((name) => `export const ${name} = /* @__PURE__ */ (() => api.${name})();`);
        const contents = ["const api = require('vscode');", ...exported].join('\n');
        return { contents, resolveDir: folder, watchFiles };
      });
    },
  };
}

// The oldest editor we run in is Chromium 138; code-server opens in whatever browser a person has.
const pageTarget = ['chrome138', 'firefox128', 'safari17.5'];

/**
 * @param {{ production?: boolean, onInlined?: (metafile: import('esbuild').Metafile) => void }} [options]
 * @returns {Record<'host' | 'worker' | 'bridge' | 'page', import('esbuild').BuildOptions>}
 */
export function bundles({ production = false, onInlined } = {}) {
  /** @satisfies {import('esbuild').BuildOptions} */
  const common = {
    absWorkingDir: root,
    bundle: true,
    minify: production,
    sourcemap: !production,
    define: { 'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development') },
    logLevel: 'warning',
    metafile: true,
  };
  /** @satisfies {import('esbuild').BuildOptions} */
  const node = {
    ...common,
    platform: 'node',
    // Modules, split where the code imports at run time: what is loaded later shares what is loaded already.
    format: 'esm',
    target: 'node22',
    outExtension: { '.js': '.mjs' },
    // Some packages still ask for Node's own modules by `require`.
    banner: {
      js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);",
    },
    outdir: 'dist',
  };
  return {
    host: {
      ...node,
      splitting: true,
      entryPoints: { extension: 'src/extension.ts' },
      chunkNames: 'chunks/[name]-[hash]',
      external: ['vscode'],
      plugins: [
        editorApi(),
        ...(production
          ? [asciiScripts(), startScripts('src/extension.ts', 'src/host/window/windowParts.ts')]
          : []),
      ],
    },
    // By themselves: they run in a thread and a process of their own, where there is no `vscode`.
    worker: {
      ...node,
      entryPoints: {
        searchWorker: 'src/tools/search/searchWorker.ts',
        knowledgeTests: 'src/knowledgeTests/commandLine.ts',
      },
    },
    // One file, run by whatever Node another program has.
    bridge: {
      ...node,
      target: 'node18',
      banner: {},
      entryPoints: { knowledgeBridge: 'src/knowledgeServer/bridge/knowledgeBridge.ts' },
    },
    page: {
      ...common,
      platform: 'browser',
      format: 'esm',
      target: pageTarget,
      plugins: [
        inlineScripts(production, onInlined),
        shells(),
        ...(production ? [asciiScripts(), startScripts('src/webview/main.tsx')] : []),
      ],
      jsx: 'automatic',
      jsxImportSource: 'preact',
      splitting: true,
      entryPoints: { panel: 'src/webview/main.tsx', style: 'src/webview/style.css' },
      chunkNames: 'chunks/[name]-[hash]',
      assetNames: '[name]',
      loader: { '.ttf': 'file' },
      outdir: 'dist/page',
    },
  };
}

/**
 * Builds test files and test tools, each to a script of its own in `outdir`; what they share is built once.
 * Packages stay in node_modules.
 * @param {string[]} entryPoints paths below the repository
 * @param {string} outdir
 * @param {'esm' | 'cjs'} [format] CommonJS is what the extension host loads tests from
 * @returns {Promise<string[]>} the absolute path of each entry point's script, in order
 */
export async function buildTests(entryPoints, outdir, format = 'esm') {
  const extension = format === 'esm' ? '.mjs' : '.cjs';
  await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format,
    target: 'node20',
    packages: 'external',
    splitting: format === 'esm',
    sourcemap: 'linked',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints,
    outbase: root,
    outdir,
    outExtension: { '.js': extension },
    define: format === 'esm' ? {} : { 'import.meta.dirname': '__dirname' },
    logLevel: 'warning',
  });
  return entryPoints.map((file) => join(root, outdir, file.replace(/\.[cm]?[jt]sx?$/, extension)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const production = process.argv.includes('--production');
  /** @type {import('esbuild').Metafile[]} */
  const inlined = [];
  const configs = Object.values(bundles({ production, onInlined: (metafile) => inlined.push(metafile) }));
  if (process.argv.includes('--watch')) {
    // What it says at each build is what the task in .vscode waits for.
    for (const config of configs) await (await context({ ...config, logLevel: 'info' })).watch();
  } else {
    await rm(new URL('dist', import.meta.url), { recursive: true, force: true });
    const results = await Promise.all(configs.map((config) => build(config)));
    const notices = await thirdPartyNotices(root, [...results.map(({ metafile }) => metafile), ...inlined]);
    await writeFile(new URL('dist/THIRD-PARTY-NOTICES.txt', import.meta.url), notices);
  }
}
