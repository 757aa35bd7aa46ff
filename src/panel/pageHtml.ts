import { randomBytes } from 'node:crypto';

export interface PageFiles {
  styles: string;
  shell: string;
}

export interface PageOptions extends PageFiles {
  folder: string;
  source: string;
  language: string;
  texts: Readonly<Record<string, string>>;
  /** Draft rendered into the page shell; undefined if unknown. */
  draft: string | undefined;
}

/** One script by nonce, nothing from elsewhere. Styles are inlined: each file costs the editor as much as the page. */
export function pageHtml({ styles, shell, folder, source, language, texts, draft }: PageOptions): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src ${source} 'nonce-${nonce}'`,
    `font-src ${source}`,
    `script-src 'nonce-${nonce}'`,
    // Workers made of text in the page's script, for highlighting.
    'worker-src blob:',
    // Frames for diagrams.
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
  // The element's first line break is not part of its text.
  return shell.replace('</textarea>', () => `\n${text}</textarea>`);
}
