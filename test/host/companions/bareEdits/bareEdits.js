const { readFileSync, rmSync, watch, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const vscode = require('vscode');

/** Makes the edit that `bare-edit.json` in the workspace asks for, and records when it began. */
exports.activate = () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder === undefined) return;
  watch(folder, (_, name) => {
    if (name !== 'bare-edit.json') return;
    let request;
    try {
      request = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      rmSync(join(folder, name));
    } catch {
      // The file is gone already, or incomplete.
      return;
    }
    void make(vscode.Uri.file(join(folder, request.path)), request.text).then((startedAt) =>
      writeFileSync(join(folder, `${request.path}.started`), String(startedAt)),
    );
  });
};

/** @param {import('vscode').Uri} uri @param {string} text */
async function make(uri, text) {
  const startedAt = performance.timeOrigin + performance.now();
  const edit = new vscode.WorkspaceEdit();
  const known = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (!known) {
    edit.createFile(uri, { contents: Buffer.from(text) });
    await vscode.workspace.applyEdit(edit);
    return startedAt;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  await document.save();
  return startedAt;
}
