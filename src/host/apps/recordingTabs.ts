import * as vscode from 'vscode';
import { audioScheme } from '../ids.ts';

/** The editor's players of what apps read out. */
export function recordingTabs(): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter((tab) => pathOf(tab) !== undefined);
}

/** Of the recording that a tab plays; undefined for another tab. */
export function pathOf({ input }: vscode.Tab): string | undefined {
  const isRecording = input instanceof vscode.TabInputCustom && input.uri.scheme === audioScheme;
  return isRecording ? input.uri.path : undefined;
}
