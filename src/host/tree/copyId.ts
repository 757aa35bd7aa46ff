import * as vscode from 'vscode';

/** Puts an id into the clipboard; a line without one leaves it as it is. */
export async function copyId(id: string | undefined): Promise<string | undefined> {
  if (id !== undefined) await vscode.env.clipboard.writeText(id);
  return id;
}
