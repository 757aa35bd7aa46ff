// A complete VS Code from the npm registry (code-server), and the Node it runs on.
import { join } from 'node:path';
import { cached, versions } from './cache.ts';
import { npm } from './npm.mjs';

export interface VscodeFiles {
  /** The Node that code-server asks for. */
  node: string;
  /** code-server's own command. */
  codeServer: string;
  /** VS Code's own server, without code-server's additions. */
  server: string;
}

/** Installs VS Code if need be and says where its parts are. */
export async function vscodeFiles(): Promise<VscodeFiles> {
  const node = await nodeForVscode();
  const label = `VS Code (code-server ${versions.codeServer})`;
  const folder = await cached(`code-server-${versions.codeServer}`, label, async (partial) => {
    await npm(partial, ['install', `code-server@${versions.codeServer}`], node);
    // What code-server's install script would do, less the native modules that would need a compiler.
    const vscode = join(partial, 'node_modules', 'code-server', 'lib', 'vscode');
    await npm(vscode, ['install', '--omit=dev'], node);
    await npm(join(vscode, 'extensions'), ['install', '--omit=dev'], node);
  });
  const codeServer = join(folder, 'node_modules', 'code-server');
  return {
    node,
    codeServer: join(codeServer, 'out', 'node', 'entry.js'),
    server: join(codeServer, 'lib', 'vscode', 'out', 'server-main.js'),
  };
}

/** The Node that VS Code's extension host runs on, and with which new programs from npm are had. */
export async function nodeForVscode(): Promise<string> {
  if (process.versions.node.split('.')[0] === versions.node.split('.')[0]) return process.execPath;
  // The package that the install script of `node` would fetch; asked for by name it needs no script.
  const name = `node-${process.platform}-${process.arch}`;
  const folder = await cached(`node-${versions.node}`, `Node ${versions.node}`, (partial) =>
    npm(partial, ['install', `${name}@${versions.node}`]),
  );
  return join(folder, 'node_modules', name, 'bin', 'node');
}
