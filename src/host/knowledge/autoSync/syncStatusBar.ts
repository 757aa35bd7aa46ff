import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FolderInStep } from '../../../knowledge/autoSync/folderInStep.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { describeSync } from '../../../knowledge/view/describeSync.ts';
import { commandId } from '../../ids.ts';

/** Item of the folders in step; hidden without any. */
export class SyncStatusBar implements Disposable {
  private item: vscode.StatusBarItem | undefined;

  show(folders: readonly FolderInStep[]): void {
    const [first] = folders.toSorted((a, b) => urgency(b) - urgency(a));
    if (!first) {
      this.dispose();
      return;
    }
    const text = textOf(first);
    this.item ??= createItem();
    this.item.text = `$(${iconOf(first)}) ${text}`;
    this.item.tooltip = folders.map(textOf).join('\n');
    this.item.accessibilityInformation = { label: text };
    this.item.show();
  }

  dispose(): void {
    this.item?.dispose();
    this.item = undefined;
  }
}

function createItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('switchboard.autoSync', vscode.StatusBarAlignment.Right, 99);
  item.name = l10n.t('Switchboard: Folders in Sync');
  item.command = commandId('whatGoesNext');
  return item;
}

function textOf({ of, state }: FolderInStep): string {
  return l10n.t('{0}: {1}', of.datasetName, describeSync(state));
}

function iconOf({ state: { pause, activity } }: FolderInStep): string {
  if (pause) return 'debug-pause';
  return activity === 'working' ? 'sync~spin' : 'sync';
}

/** Paused ones come first, then those with files that wait. */
function urgency({ state: { pause, waiting } }: FolderInStep): number {
  return pause ? 2 : waiting.length > 0 ? 1 : 0;
}
