import * as vscode from 'vscode';

/** A selection that ends at the start of a line excludes that line. */
export function wholeLines({ start, end }: vscode.Selection): vscode.Range {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return new vscode.Range(start.line, 0, last, Number.MAX_SAFE_INTEGER);
}
