import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The shell of the panel's page. One script by nonce, styles and fonts from the extension, nothing from elsewhere. */
export function chatHtml(webview: vscode.Webview, pageRoot: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const uri = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(pageRoot, name)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    // Of a text in the page's own script: highlighting, which may take any time.
    'worker-src blob:',
    // Diagrams, which a frame of the page draws.
    'img-src blob:',
  ].join('; ');
  // "</script>" inside the bundle would end the element early.
  const bundle = JSON.stringify(vscode.l10n.bundle ?? {}).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${uri('style.css')}">
<title>Switchboard</title>
</head>
<body>
<div id="root"></div>
<script id="l10n" type="application/json">${bundle}</script>
<script type="module" nonce="${nonce}" src="${uri('panel.js')}"></script>
</body>
</html>`;
}
