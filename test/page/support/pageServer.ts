// Serves the built page as the editor does: the same shell, the same policy, the editor's own styles.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { root } from '../../host/paths.ts';

export type Theme = 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';
export const themes: Theme[] = ['dark', 'light', 'high-contrast', 'high-contrast-light'];

export interface PageServer {
  urlOf(theme: Theme, bundle?: Record<string, string>): string;
  stop(): Promise<void>;
}

/** The class names that the editor gives the body. */
export const bodyClasses: Record<Theme, string> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'high-contrast': 'vscode-high-contrast',
  'high-contrast-light': 'vscode-high-contrast-light vscode-high-contrast',
};

/** Where the page server has the editor's styles of a theme. */
export const themeStyles = (theme: Theme) => `/themes/${theme}.css`;

const types: Record<string, string> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.map': 'application/json',
  '.ttf': 'font/ttf',
};

/** Serves `dist/page` (or another folder with a page's bundle) on a free loopback port. */
export async function startPageServer(folder = join(root, 'dist', 'page')): Promise<PageServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin());
    if (url.pathname === '/') return sendShell(response, url, origin());
    const [, place = '', ...path] = normalize(url.pathname).split('/');
    const from = place === 'themes' ? join(root, 'test', 'page', 'themes') : folder;
    void sendFile(response, join(from, ...path));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    urlOf: (theme, bundle = {}) =>
      `${origin()}/?theme=${theme}&bundle=${encodeURIComponent(JSON.stringify(bundle))}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** As `src/host/chatHtml.ts` writes it, with the styles that the editor adds. */
function sendShell(response: ServerResponse, url: URL, cspSource: string): void {
  const theme = url.searchParams.get('theme') as Theme;
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `script-src 'nonce-${nonce}'`,
    'worker-src blob:',
    'img-src blob:',
  ].join('; ');
  response.setHeader('content-type', 'text/html');
  response.end(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/themes/vscode.css">
<link rel="stylesheet" id="theme" href="${themeStyles(theme)}">
<link rel="stylesheet" href="/page/style.css">
<title>Switchboard</title>
</head>
<body class="${bodyClasses[theme]}">
<div id="root"></div>
<script id="l10n" type="application/json">${url.searchParams.get('bundle')?.replaceAll('<', '\\u003c')}</script>
<script type="module" nonce="${nonce}" src="/page/panel.js"></script>
</body>
</html>`);
}

async function sendFile(response: ServerResponse, path: string): Promise<void> {
  try {
    const content = await readFile(path);
    response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
    response.end(content);
  } catch {
    response.statusCode = 404;
    response.end();
  }
}
