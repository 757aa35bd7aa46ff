import * as vscode from 'vscode';
import { audioScheme, beforeScheme, clientScheme, proposalScheme, restoreScheme } from '../ids.ts';

export function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  return allTabs().filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
  );
}

export function recordingTabs(): vscode.Tab[] {
  return allTabs().filter((tab) => recordingPath(tab) !== undefined);
}

export function recordingPath({ input }: vscode.Tab): string | undefined {
  const isRecording = input instanceof vscode.TabInputCustom && input.uri.scheme === audioScheme;
  return isRecording ? input.uri.path : undefined;
}

/** Closes restored diffs, whose texts were in the memory of the window before. */
export function closeStaleDiffs(): void {
  const stale = allTabs().filter(
    ({ input }) =>
      input instanceof vscode.TabInputTextDiff &&
      [proposalScheme, beforeScheme, clientScheme, restoreScheme].includes(input.original.scheme),
  );
  if (stale.length > 0) void vscode.window.tabGroups.close(stale, true);
}

function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}
