import { randomBytes } from 'node:crypto';

/** What the build made of the page. */
export interface PageFiles {
  styles: string;
  /** What it shows until its script goes on from there, in the language of the user. */
  shell: string;
}

export interface PageOptions extends PageFiles {
  /** Where the page finds its files. */
  folder: string;
  /** Where files may come from, as a policy says it. */
  source: string;
  language: string;
  /** Texts in the language, by the English ones. */
  texts: Readonly<Record<string, string>>;
  /** What the message box holds that is there at once; undefined where it is not known whether there is one. */
  draft: string | undefined;
}

/**
 * The panel's page. One script by nonce, fonts from the extension, nothing from elsewhere. The styles are in the page:
 * the editor takes as long for each file as for all of it. It shows a page once that is loaded, for which an import is
 * not waited.
 */
export function pageHtml({ styles, shell, folder, source, language, texts, draft }: PageOptions): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src ${source} 'nonce-${nonce}'`,
    `font-src ${source}`,
    `script-src 'nonce-${nonce}'`,
    // Of a text in the page's own script: highlighting, which may take any time.
    'worker-src blob:',
    // Diagrams, which a frame of the page draws.
    'img-src blob:',
  ].join('; ');
  // "</script>" inside the bundle would end the element early.
  const bundle = JSON.stringify(texts).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html>
<html lang="${language}" class="starting">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${styles.replaceAll('url("./', `url("${folder}/`)}</style>
<title>Switchboard</title>
</head>
<body>
<div id="root">${draft === undefined ? '' : withDraft(shell, draft)}</div>
<script id="l10n" type="application/json">${bundle}</script>
<script type="module" nonce="${nonce}">import(${JSON.stringify(`${folder}/panel.js`)})</script>
</body>
</html>`;
}

function withDraft(shell: string, draft: string): string {
  const text = draft.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  // The first line break of the element is not part of its text.
  return shell.replace('</textarea>', () => `\n${text}</textarea>`);
}
