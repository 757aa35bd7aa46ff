// Makes one script of what a split bundle loads at once: the editor waits for each file that activation reads, and so does
// the page.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

/** @typedef {{ file: string, chunks: readonly string[] }} Folded a script that is there, and what was folded into it */

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
        /** @type {Folded[]} */
        const done = [];
        for (const entryPoint of entryPoints)
          done.push(await fold(entryPoint, metafile.outputs, initialOptions, done));
      });
    },
  };
}

/**
 * Folds all chunks that one script imports statically into it.
 * @param {string} entryPoint
 * @param {import('esbuild').Metafile['outputs']} outputs of the build before anything was folded
 * @param {import('esbuild').BuildOptions} options
 * @param {readonly Folded[]} done
 * @returns {Promise<Folded>}
 */
async function fold(entryPoint, outputs, options, done) {
  const root = options.absWorkingDir ?? process.cwd();
  const script = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entryPoint);
  if (!script) throw new Error(`The build has no script for ${entryPoint}.`);
  const before = done.flatMap(({ file, chunks }) => [file, ...chunks]);
  const file = resolve(root, script);
  const chunks = importedAtOnce(script, outputs)
    .map((path) => resolve(root, path))
    .filter((chunk) => !before.includes(chunk));
  const late = Object.entries(outputs)
    .map(([path, { imports }]) => ({ path: resolve(root, path), imports }))
    .filter(({ path }) => ![file, ...chunks, ...before].includes(path))
    .map(({ path, imports }) => ({
      path,
      shared: chunks.filter((chunk) => imports.some((each) => resolve(root, each.path) === chunk)),
    }))
    .filter(({ shared }) => shared.length > 0);
  const texts = await readAll([file, ...chunks, ...late.map(({ path }) => path)]);
  /** By chunk: the names of the file for what it exports to others. */
  const aliases = new Map(chunks.map((chunk) => [chunk, new Map()]));
  let count = 0;
  for (const { path, shared } of late)
    for (const chunk of shared)
      for (const { name } of importedNames(texts, path, chunk))
        if (!aliases.get(chunk)?.has(name)) aliases.get(chunk)?.set(name, `s${(count++).toString(36)}`);
  const folder = dirname(file);
  const contents = [
    // First, so that all is run in the order it would be otherwise.
    `export * from ${JSON.stringify(specifier(folder, file))};`,
    ...[...aliases].flatMap(([chunk, names]) =>
      [...names].map(
        ([name, alias]) => `export { ${name} as ${alias} } from ${JSON.stringify(specifier(folder, chunk))};`,
      ),
    ),
  ].join('\n');
  const loaded = done.map((each) => ({
    file: each.file,
    names: new Set(
      [file, ...chunks].flatMap((path) => importedNames(texts, path, each.file).map(({ name }) => name)),
    ),
  }));
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
    plugins: [chunksOf(folder, options.banner?.js ?? '', loaded)],
  });
  await writeFile(file, outputFiles[0]?.text ?? '');
  for (const chunk of chunks) await rm(chunk);
  for (const { path, shared } of late) {
    for (const chunk of shared) texts.set(path, importFrom(file, texts, path, chunk, aliases.get(chunk)));
    await writeFile(path, texts.get(path) ?? '');
  }
  return { file, chunks };
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
 * @param {readonly string[]} paths
 * @returns {Promise<Map<string, string>>} the text of each file
 */
async function readAll(paths) {
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return new Map(paths.map((path, index) => [path, texts[index] ?? '']));
}

/**
 * @param {ReadonlyMap<string, string>} texts as esbuild writes them
 * @param {string} script
 * @param {string} chunk
 * @returns {{ name: string, local: string }[]}
 */
function importedNames(texts, script, chunk) {
  return [...(texts.get(script) ?? '').matchAll(importOf(script, chunk))].flatMap(([, list = '']) =>
    namesIn(list),
  );
}

/**
 * The script's text with the chunk's names imported from the file that it was folded into.
 * @param {string} file
 * @param {ReadonlyMap<string, string>} texts as esbuild writes them
 * @param {string} script
 * @param {string} chunk
 * @param {ReadonlyMap<string, string>} [aliases] the chunk's names in the file
 */
function importFrom(file, texts, script, chunk, aliases) {
  const now = JSON.stringify(specifier(dirname(script), file));
  const text = texts.get(script) ?? '';
  const changed = text.replace(importOf(script, chunk), (_, /** @type {string | undefined} */ list) => {
    if (list === undefined) return `import${now}`;
    const names = namesIn(list).map(({ name, local }) => `${aliases?.get(name)} as ${local}`);
    return `import{${names.join(',')}}from${now}`;
  });
  if (changed === text) throw new Error(`${script} does not import ${chunk} as esbuild does.`);
  return changed;
}

/**
 * @param {string} script
 * @param {string} chunk
 */
function importOf(script, chunk) {
  const from = JSON.stringify(specifier(dirname(script), chunk)).replaceAll('.', '\\.');
  return new RegExp(String.raw`\bimport\s*(?:\{([^}]*)\}\s*from\s*)?${from}`, 'g');
}

/**
 * @param {string} list such as `a,b as c`
 */
function namesIn(list) {
  return list
    .split(',')
    .filter((each) => each.trim() !== '')
    .map((each) => {
      const [name = '', local = name] = each.trim().split(/\s+as\s+/);
      return { name, local };
    });
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
 * Leaves what is imported at run time where it is, and what stands at the head of each chunk to the script as a whole. What
 * is loaded already is imported by one statement, not by one of each chunk.
 * @param {string} folder
 * @param {string} banner
 * @param {readonly { file: string, names: ReadonlySet<string> }[]} loaded
 * @returns {import('esbuild').Plugin}
 */
function chunksOf(folder, banner, loaded) {
  return {
    name: 'chunks',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir, kind, namespace }) => {
        const file = join(resolveDir, path);
        if (kind === 'dynamic-import' || namespace === 'loaded')
          return { path: specifier(folder, file), external: true };
        return loaded.some((each) => each.file === file) ? { path: file, namespace: 'loaded' } : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'loaded' }, ({ path }) => {
        const names = loaded.find(({ file }) => file === path)?.names ?? [];
        const from = JSON.stringify(specifier(folder, path));
        return { contents: `export { ${[...names].join(', ')} } from ${from};`, resolveDir: folder };
      });
      onLoad({ filter: /\.m?js$/ }, async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replace(banner, ''),
        loader: 'js',
      }));
    },
  };
}
