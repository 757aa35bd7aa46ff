import * as vscode from 'vscode';

/** Escaped text of others. `appendText` alone joins words by non-breaking spaces, so lines break within words. */
export function markdownText(text: string): string {
  const { value } = new vscode.MarkdownString().appendText(text.trim());
  return value.replaceAll('&nbsp;', ' ');
}
