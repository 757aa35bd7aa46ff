import * as vscode from 'vscode';
import { audioScheme, beforeScheme, clientScheme, proposalScheme, restoreScheme } from '../ids.ts';

export function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  return allTabs().filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
  );
}

export function recordingPath({ input }: vscode.Tab): string | undefined {
  const isRecording = input instanceof vscode.TabInputCustom && input.uri.scheme === audioScheme;
  return isRecording ? input.uri.path : undefined;
}

/** Closes diffs and players that a reload brings back: their contents were in the memory of the window before. */
export function closeStaleTabs(): void {
  const stale = allTabs().filter(
    (tab) =>
      recordingPath(tab) !== undefined ||
      (tab.input instanceof vscode.TabInputTextDiff &&
        [proposalScheme, beforeScheme, clientScheme, restoreScheme].includes(tab.input.original.scheme)),
  );
  if (stale.length > 0) void vscode.window.tabGroups.close(stale, true);
}

export function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}
