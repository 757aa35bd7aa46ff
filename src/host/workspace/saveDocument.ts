import * as vscode from 'vscode';

/** Limit for waiting on a save that is running. */
const savingMs = 3_000;

/** Saves a document, also one that may not be known to be dirty yet. False if the editor can't. */
export async function saveDocument(document: vscode.TextDocument): Promise<boolean> {
  if (await document.save()) return true;
  // The editor refuses while it saves by itself (`files.autoSave`).
  await nextOf(vscode.workspace.onDidSaveTextDocument, (saved) => saved === document, savingMs);
  return document.isDirty ? document.save() : true;
}

/** Resolves with the next event that is wanted, or after some time. */
export function nextOf<T>(
  event: vscode.Event<T>,
  isWanted: (value: T) => boolean,
  ms: number,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(late);
      listening.dispose();
      resolve();
    };
    const late = setTimeout(done, ms);
    const listening = event((value) => {
      if (isWanted(value)) done();
    });
  });
}
