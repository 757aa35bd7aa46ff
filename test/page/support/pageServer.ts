// Serves the built page like the editor: the same shell, policy and styles.
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { pageHtml } from '../../../src/panel/pageHtml.ts';
import { root } from '../../host/paths.ts';

export type Theme = 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';
export const themes: Theme[] = ['dark', 'light', 'high-contrast', 'high-contrast-light'];

export interface PageAddress {
  theme?: Theme;
  /** Translations by their English texts. */
  bundle?: Record<string, string>;
  language?: 'zh-cn';
  /** Draft in the page's shell; without it the shell has no message box. */
  draft?: string;
}

export interface PageServer {
  urlOf(address: PageAddress): string;
  stop(): Promise<void>;
}

export const bodyClasses: Record<Theme, string> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'high-contrast': 'vscode-high-contrast',
  'high-contrast-light': 'vscode-high-contrast-light vscode-high-contrast',
};

export const themeStyles = (theme: Theme) => `/themes/${theme}.css`;

const types: Record<string, string> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.map': 'application/json',
  '.ttf': 'font/ttf',
};

/** Serves `dist/page` (or another page's bundle) on a free loopback port. */
export async function startPageServer(folder = join(root, 'dist', 'page')): Promise<PageServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin());
    if (url.pathname === '/') return void sendPage(response, url, folder, origin());
    const [, place = '', ...path] = normalize(url.pathname).split('/');
    const from = place === 'themes' ? join(root, 'test', 'page', 'themes') : folder;
    void sendFile(response, join(from, ...path));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let pages = 0;
  return {
    // To a browser the same address again is a reload.
    urlOf: (address) => `${origin()}/?page=${++pages}&address=${encodeURIComponent(JSON.stringify(address))}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The extension host's HTML, with the styles that the editor adds. */
async function sendPage(response: ServerResponse, url: URL, folder: string, source: string): Promise<void> {
  const address = JSON.parse(url.searchParams.get('address') ?? '{}') as PageAddress;
  const { theme = 'dark', language, draft } = address;
  const bundle = join(root, 'media', 'l10n', `bundle.l10n.${language}.json`);
  const texts = language
    ? (JSON.parse(await readFile(bundle, 'utf8')) as Record<string, string>)
    : (address.bundle ?? {});
  const [styles = '', shell = ''] = await Promise.all(
    ['style.css', language ? `shell.${language}.html` : 'shell.html'].map((name) =>
      // A test's own page has neither.
      readFile(join(folder, name), 'utf8').catch(() => ''),
    ),
  );
  const html = pageHtml({
    ...{ styles, shell, texts, draft, source },
    folder: `${source}/page`,
    language: language ?? 'en',
  });
  const editors = `<link rel="stylesheet" href="/themes/vscode.css">
<link rel="stylesheet" id="theme" href="${themeStyles(theme)}">`;
  response.setHeader('content-type', 'text/html');
  response.end(
    html
      .replace('<style', () => `${editors}\n<style`)
      .replace('<body>', `<body class="${bodyClasses[theme]}">`),
  );
}

async function sendFile(response: ServerResponse, path: string): Promise<void> {
  try {
    const content = await readFile(path);
    response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
    // Nothing is built while tests run; a page that loads them again compiles them again.
    response.setHeader('cache-control', 'max-age=3600');
    response.end(content);
  } catch {
    response.statusCode = 404;
    response.end();
  }
}
