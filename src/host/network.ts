import * as vscode from 'vscode';

/** How the editor is told to reach the network: `http.*` settings, for the HTTP layer. */
export interface EditorProxy {
  proxyUrl?: string;
  noProxy: string[];
  strictTls: boolean;
}

export function readEditorProxy(): EditorProxy {
  const http = vscode.workspace.getConfiguration('http');
  const proxyUrl = http.get<string>('proxy', '').trim();
  const off = http.get<string>('proxySupport') === 'off';
  return {
    ...(proxyUrl && !off && { proxyUrl }),
    noProxy: http.get<string[]>('noProxy', []),
    strictTls: http.get('proxyStrictSSL', true),
  };
}
