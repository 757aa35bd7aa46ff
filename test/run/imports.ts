import { readdir, readFile } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { root } from '../host/paths.ts';

/** Every part but the page and the host. */
const parts = [
  'clients',
  'connections',
  'diagnose',
  'history',
  'settings',
  'panel',
  'chat',
  'knowledgeServer',
  'knowledgeTests',
  'knowledge',
  'flows',
  'apps',
  'tools',
  'relay',
  'platform',
  'net',
  'shared',
  'base',
];

/** For each folder of src/ (and extension.ts), the folders or single files that it may import. */
const allowed: Record<string, string[]> = {
  'extension.ts': ['host', ...parts],
  host: parts,
  panel: ['chat', 'knowledge', 'apps', 'relay', 'tools/tool.ts', 'shared', 'base'],
  // A conversation knows only the connected relay and its client, never a key.
  chat: ['apps', 'tools', 'relay', 'base', 'connections/relayConnections.ts', 'connections/clients.ts'],
  apps: ['connections', 'platform', 'net', 'base'],
  flows: ['platform', 'base'],
  knowledge: ['connections', 'platform', 'tools', 'base'],
  // From flows, only the reading of YAML with its places.
  knowledgeTests: [
    ...['knowledge', 'platform', 'relay', 'net', 'base'],
    ...['flows/dsl/flowValue.ts', 'tools/knowledge/searchBases.ts'],
  ],
  knowledgeServer: ['knowledge', 'platform', 'tools', 'base'],
  settings: ['chat', 'knowledge', 'apps', 'platform', 'relay', 'tools', 'base'],
  connections: ['platform', 'relay', 'net', 'base'],
  diagnose: ['relay', 'platform', 'net', 'base'],
  // Client programs only need to know how a relay is asked.
  clients: ['relay', 'net', 'base', 'tools/command/commandEnvironment.ts', 'tools/command/commandProcess.ts'],
  history: ['chat', 'apps', 'base'],
  tools: ['base'],
  relay: ['net', 'base'],
  platform: ['net', 'base'],
  net: ['base'],
  base: [],
  // The page shows steps, files and ratings of apps by the types of these folders.
  shared: [
    'base',
    'relay/parameters.ts',
    'apps/app.ts',
    'apps/run/runStatus.ts',
    'chat/attachments/attachmentKinds.ts',
  ],
  webview: ['shared', 'relay/parameters.ts', 'base'],
};

const mayImportVscode = new Set(['extension.ts', 'host']);

/** A source file: its path below src/ (or test/), with forward slashes, and its text. */
export interface Source {
  path: string;
  text: string;
}

export function forbiddenImports(sources: Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    importsIn(text).flatMap((specifier) => {
      const objection = objectionTo(path, specifier);
      return objection ? [`src/${path} imports '${specifier}': ${objection}`] : [];
    }),
  );
}

/** The imports between folders of src/, as lines of a Mermaid flowchart. */
export function drawFolders(sources: Source[]): string {
  const arrows = sources.flatMap(({ path, text }) =>
    importsIn(text)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => [part(path), part(posix.join(posix.dirname(path), specifier))] as const),
  );
  const drawn = new Set(
    arrows
      // Imports of `base` would hide the rest.
      .filter(([from, to]) => from !== to && to !== 'base' && to !== '..' && from !== 'extension.ts')
      .map(([from, to]) => `  ${from} --> ${to}`),
  );
  return ['flowchart TD', ...[...drawn].toSorted()].join('\n');
}

function objectionTo(path: string, specifier: string): string | undefined {
  const from = part(path);
  const targets = allowed[from];
  if (!targets) return `src/${from} is not in the import table of test/run/imports.ts`;
  if (specifier === 'vscode') {
    return mayImportVscode.has(from) ? undefined : 'only src/extension.ts and src/host may import vscode';
  }
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join(posix.dirname(path), specifier);
  if (target.startsWith('..')) {
    return target === '../package.json' ? undefined : 'it leads out of src';
  }
  const to = part(target);
  if (to === from || targets.includes(to) || targets.includes(target)) return undefined;
  return `${from} may import only ${targets.join(', ') || 'nothing of ours'}`;
}

/** Files of src/host without `vscode`, types aside: application code, which needs no editor in tests. */
export function hostFilesWithoutEditor(sources: Source[]): string[] {
  const imports = new Map(
    sources.map(({ path, text }) => [
      path,
      importsIn(text.replace(typeImports, '')).map((specifier) =>
        specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier,
      ),
    ]),
  );
  const reaching = new Set(['vscode']);
  for (let size = 0; size !== reaching.size;) {
    size = reaching.size;
    for (const [path, targets] of imports)
      if (targets.some((target) => reaching.has(target))) reaching.add(path);
  }
  return [...imports.keys()].filter((path) => part(path) === 'host' && !reaching.has(path)).toSorted();
}

/** The files of each import circle, types included; the largest circle first. */
export function importCircles(sources: Source[]): string[][] {
  const targets = new Map(
    sources.map(({ path, text }) => [
      path,
      importsIn(text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(path), specifier)),
    ]),
  );
  const reachable = new Map([...targets.keys()].map((path) => [path, reachedFrom(path, targets)]));
  const circles = new Map<string, string[]>();
  for (const [path, reached] of reachable) {
    if (!reached.has(path)) continue;
    const circle = [...reached].filter((other) => reachable.get(other)?.has(path)).toSorted();
    circles.set(circle.join(), circle);
  }
  return [...circles.values()].toSorted((a, b) => b.length - a.length);
}

function reachedFrom(path: string, targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of targets.get(next) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}

/** Type-only imports and exports, and inline import types. */
const typeImports =
  /^import\s+type\b[^'";]*from\s*['"][^'"]+['"];?|^import\s*\{(?:\s*type\s+[\w$]+(?:\s+as\s+[\w$]+)?\s*,?)+\s*\}\s*from\s*['"][^'"]+['"];?|\btypeof import\([^)]*\)/gm;

function part(path: string): string {
  return path.split('/', 1)[0] ?? path;
}

function importsIn(text: string): string[] {
  const statements =
    /^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm;
  const calls = /\b(?:import|require)\(\s*['"]([^'"]+)['"]/g;
  return [...text.matchAll(statements), ...text.matchAll(calls)].map((match) => match[1] ?? match[2] ?? '');
}

export async function readSources(top: 'src' | 'test' = 'src'): Promise<Source[]> {
  const folder = join(root, top);
  const names = await readdir(folder, { recursive: true });
  return Promise.all(
    names
      .filter((name) => /\.tsx?$/.test(name))
      .map(async (name) => ({
        path: name.split(sep).join('/'),
        text: await readFile(join(folder, name), 'utf8'),
      })),
  );
}
