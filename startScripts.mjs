// Makes one script of what a split bundle loads at once: the editor waits for each file that activation reads, and so does
// the page.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

/**
 * Folds all chunks that a script imports statically into it: those of an entry point, then those of what is always loaded
 * after it. What is loaded later and shares them imports them from there.
 * @param {readonly string[]} entryPoints as in the options of the build; each but the first is imported at run time
 * @returns {import('esbuild').Plugin}
 */
export function startScripts(...entryPoints) {
  return {
    name: 'start-scripts',
    setup({ initialOptions, onEnd }) {
      onEnd(async ({ metafile, errors }) => {
        if (errors.length > 0 || !metafile) return;
        /** @type {string[]} */
        const done = [];
        for (const entryPoint of entryPoints)
          done.push(...(await fold(entryPoint, metafile.outputs, initialOptions, done)));
      });
    },
  };
}

/**
 * Folds all chunks that one script imports statically into it.
 * @param {string} entryPoint
 * @param {import('esbuild').Metafile['outputs']} outputs of the build before anything was folded
 * @param {import('esbuild').BuildOptions} options
 * @param {readonly string[]} done the scripts that are there already, and what was folded into them
 * @returns {Promise<string[]>} the script, and what was folded into it
 */
async function fold(entryPoint, outputs, options, done) {
  const root = options.absWorkingDir ?? process.cwd();
  const script = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entryPoint);
  if (!script) throw new Error(`The build has no script for ${entryPoint}.`);
  const chunks = importedAtOnce(script, outputs).filter((chunk) => !done.includes(chunk));
  const file = resolve(root, script);
  const folder = dirname(file);
  const names = chunks.map((chunk, index) => ({
    chunk,
    exported: (outputs[chunk]?.exports ?? []).map((name) => ({ name, alias: `start${index}_${name}` })),
  }));
  const contents = [
    // First, so that all is run in the order it would be otherwise.
    `export * from ${JSON.stringify(specifier(folder, file))};`,
    ...names.flatMap(({ chunk, exported }) =>
      exported.map(
        ({ name, alias }) =>
          `export { ${name} as ${alias} } from ${JSON.stringify(specifier(folder, resolve(root, chunk)))};`,
      ),
    ),
  ].join('\n');
  const before = done.map((path) => resolve(root, path));
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: 'js' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    platform: options.platform ?? 'node',
    format: 'esm',
    target: options.target ?? 'esnext',
    minify: options.minify ?? false,
    external: options.external ?? [],
    logLevel: 'silent',
    banner: options.banner ?? {},
    plugins: [chunksOf(folder, options.banner?.js ?? '', before)],
  });
  await writeFile(file, outputFiles[0]?.text ?? '');
  for (const { chunk } of names) await rm(resolve(root, chunk));
  for (const [path, { imports }] of Object.entries(outputs)) {
    const shared = names.filter(({ chunk }) => imports.some((each) => each.path === chunk));
    if (path === script || chunks.includes(path) || done.includes(path) || shared.length === 0) continue;
    const late = resolve(root, path);
    let text = await readFile(late, 'utf8');
    for (const { chunk, exported } of shared)
      text = importFrom(file, text, late, resolve(root, chunk), exported);
    await writeFile(late, text);
  }
  return [script, ...chunks];
}

/**
 * @param {string} script
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @returns {string[]} without the script itself
 */
function importedAtOnce(script, outputs) {
  const found = new Set([script]);
  for (const path of found) {
    for (const { path: next, kind, external } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && !external) found.add(next);
    }
  }
  return [...found].slice(1);
}

/**
 * What of a script's text imports a chunk, importing the same from the file that it was folded into.
 * @param {string} file
 * @param {string} text as esbuild writes it
 * @param {string} script
 * @param {string} chunk
 * @param {{ name: string, alias: string }[]} exported of the chunk, with the names that they have in the file
 */
function importFrom(file, text, script, chunk, exported) {
  const folder = dirname(script);
  const old = JSON.stringify(specifier(folder, chunk)).replaceAll('.', '\\.');
  const now = JSON.stringify(specifier(folder, file));
  const aliases = new Map(exported.map(({ name, alias }) => [name, alias]));
  const changed = text.replace(
    new RegExp(String.raw`\bimport\s*(?:\{([^}]*)\}\s*from\s*)?${old}`),
    (_, /** @type {string | undefined} */ list) => {
      if (list === undefined) return `import${now}`;
      const names = list.split(',').map((each) => {
        const [name = '', local = name] = each.trim().split(/\s+as\s+/);
        return `${aliases.get(name)} as ${local}`;
      });
      return `import{${names.join(',')}}from${now}`;
    },
  );
  if (changed === text) throw new Error(`${script} does not import ${chunk} as esbuild does.`);
  return changed;
}

/**
 * How a script in a folder imports a file.
 * @param {string} folder
 * @param {string} file
 */
function specifier(folder, file) {
  const path = relative(folder, file).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

/**
 * Leaves what is imported at run time, or is loaded already, where it is, and what stands at the head of each chunk to the
 * script as a whole.
 * @param {string} folder
 * @param {string} banner
 * @param {readonly string[]} loaded paths of files
 * @returns {import('esbuild').Plugin}
 */
function chunksOf(folder, banner, loaded) {
  return {
    name: 'chunks',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) =>
        kind === 'dynamic-import' || loaded.includes(join(resolveDir, path))
          ? { path: specifier(folder, join(resolveDir, path)), external: true }
          : undefined,
      );
      onLoad({ filter: /\.m?js$/ }, async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replace(banner, ''),
        loader: 'js',
      }));
    },
  };
}
