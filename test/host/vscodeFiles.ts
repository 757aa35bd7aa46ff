import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cached } from './cache.ts';
import { chosenEditor, editors } from './editors.ts';
import { npm } from './npm.mjs';

export interface VscodeFiles {
  node: string;
  codeServer: string;
  /** VS Code's own server, without code-server's additions. */
  server: string;
  /** The folder of VS Code's own extensions. */
  builtIn: string;
}

export async function vscodeFiles(): Promise<VscodeFiles> {
  const editor = chosenEditor();
  const node = await installedNode(editor.node);
  const added = editor.fromRegistry.map((each) => basename(each).replace('@', '-'));
  const name = [`code-server-${editor.codeServer}`, ...added].join('+');
  const folder = await cached(name, `VS Code (code-server ${editor.codeServer})`, async (partial) => {
    const { overrides } = editor;
    await writeFile(join(partial, 'package.json'), JSON.stringify({ private: true, overrides }));
    await npm(partial, ['install', `code-server@${editor.codeServer}`], node);
    // Does the work of code-server's install script, without native modules that need a compiler.
    const vscode = join(partial, 'node_modules', 'code-server', 'lib', 'vscode');
    await npm(vscode, ['install', '--omit=dev', ...editor.fromRegistry], node);
    await npm(join(vscode, 'extensions'), ['install', '--omit=dev'], node);
  });
  const codeServer = join(folder, 'node_modules', 'code-server');
  return {
    node,
    codeServer: join(codeServer, 'out', 'node', 'entry.js'),
    server: join(codeServer, 'lib', 'vscode', 'out', 'server-main.js'),
    builtIn: join(codeServer, 'lib', 'vscode', 'extensions'),
  };
}

export const newestNode = (): Promise<string> => installedNode(editors.newest.node);

/** The Node that runs this process, if it has the same major version. */
async function installedNode(version: string): Promise<string> {
  if (process.versions.node.split('.')[0] === version.split('.')[0]) return process.execPath;
  // The package that the install script of `node` would fetch; by its own name it needs no script.
  const name = `node-${process.platform}-${process.arch}`;
  const folder = await cached(`node-${version}`, `Node ${version}`, (partial) =>
    npm(partial, ['install', `${name}@${version}`]),
  );
  return join(folder, 'node_modules', name, 'bin', 'node');
}
