import * as vscode from 'vscode';
import type { Diagnostic, LanguageFeatures, SymbolFound } from '../../tools/files/workspace.ts';
import { fromRange, toPosition, toPath, toUri } from './workspacePlaces.ts';

const severities = ['error', 'warning', 'information', 'hint'] as const;

export const languages: LanguageFeatures = {
  async workspaceSymbols(query, signal) {
    const found = await ask<vscode.SymbolInformation[]>(
      signal,
      'vscode.executeWorkspaceSymbolProvider',
      query,
    );
    return (found ?? []).map(fromInformation);
  },

  async documentSymbols(path, signal) {
    const uri = toUri(path);
    // Some providers only know open documents.
    await vscode.workspace.openTextDocument(uri);
    const found = await ask<(vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
      signal,
      'vscode.executeDocumentSymbolProvider',
      uri,
    );
    return (found ?? []).flatMap((symbol) =>
      'location' in symbol ? [fromInformation(symbol)] : fromTree(symbol, path),
    );
  },

  async references(path, position, signal) {
    const uri = toUri(path);
    await vscode.workspace.openTextDocument(uri);
    const found = await ask<vscode.Location[]>(
      signal,
      'vscode.executeReferenceProvider',
      uri,
      toPosition(position),
    );
    return (found ?? []).map((location) => ({
      path: toPath(location.uri),
      range: fromRange(location.range),
    }));
  },

  onDidChangeDiagnostics: (path, listener) => {
    const wanted = toUri(path).toString();
    return vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some((uri) => uri.toString() === wanted)) listener();
    });
  },

  diagnostics: (path) =>
    (path === undefined
      ? vscode.languages.getDiagnostics()
      : [[toUri(path), vscode.languages.getDiagnostics(toUri(path))] as const]
    ).flatMap(([uri, list]) => list.map((diagnostic) => fromDiagnostic(toPath(uri), diagnostic))),
};

/** Commands can't be cancelled, but a cancelled caller stops waiting. */
async function ask<T>(signal: AbortSignal, command: string, ...args: unknown[]): Promise<T | undefined> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([vscode.commands.executeCommand<T | undefined>(command, ...args), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function fromInformation({ name, kind, containerName, location }: vscode.SymbolInformation): SymbolFound {
  return {
    name,
    kind: kindName(kind),
    ...(containerName && { container: containerName }),
    path: toPath(location.uri),
    range: fromRange(location.range),
  };
}

function fromTree(symbol: vscode.DocumentSymbol, path: string, container?: string): SymbolFound[] {
  const { name, kind, range, children } = symbol;
  const own = { name, kind: kindName(kind), ...(container && { container }), path, range: fromRange(range) };
  return [own, ...children.flatMap((child) => fromTree(child, path, name))];
}

function kindName(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind].toLowerCase();
}

function fromDiagnostic(path: string, diagnostic: vscode.Diagnostic): Diagnostic {
  const { range, severity, message, source, code } = diagnostic;
  const value = typeof code === 'object' ? code.value : code;
  return {
    path,
    range: fromRange(range),
    severity: severities[severity] ?? 'hint',
    message,
    ...(source && { source }),
    ...(value !== undefined && { code: String(value) }),
  };
}
