import * as l10n from '@vscode/l10n';
import type { FolderInStep } from '../../../knowledge/autoSync/folderInStep.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { describeSync } from '../../../knowledge/view/describeSync.ts';
import { commandId } from '../../ids.ts';
import { StatusItem } from '../../ui/statusItem.ts';

export class SyncStatusBar implements Disposable {
  private readonly item = new StatusItem('switchboard.autoSync', 99);

  show(folders: readonly FolderInStep[]): void {
    const [first] = folders.toSorted((a, b) => urgency(b) - urgency(a));
    if (!first) {
      this.dispose();
      return;
    }
    const text = textOf(first);
    this.item.show({
      ...{ name: l10n.t('Switchboard: Folders in Sync'), icon: iconOf(first), text, label: text },
      tooltip: folders.map(textOf).join('\n'),
      command: commandId('whatGoesNext'),
    });
  }

  dispose(): void {
    this.item.dispose();
  }
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
