import * as vscode from 'vscode';
import { beforeScheme, clientScheme, proposalScheme } from '../ids.ts';

/** Closes diffs that a window opened again with: their texts were held by the window before. */
export function closeStaleDiffs(): void {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const stale = tabs.filter(
    ({ input }) =>
      input instanceof vscode.TabInputTextDiff &&
      [proposalScheme, beforeScheme, clientScheme].includes(input.original.scheme),
  );
  if (stale.length > 0) void vscode.window.tabGroups.close(stale, true);
}
