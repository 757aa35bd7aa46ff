import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppService } from '../../apps/appService.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import { commandId } from '../ids.ts';

export function offerPinnedApps(apps: AppService): vscode.Disposable {
  const kind = vscode.CodeActionKind.RefactorRewrite;
  return vscode.languages.registerCodeActionsProvider(
    '*',
    {
      provideCodeActions(_document, range) {
        const pinned = range.isEmpty ? [] : apps.listed.filter(({ pin }) => pin);
        return pinned.map(({ id, name }) => {
          const title = l10n.t('{0} (Switchboard)', oneLine(name, 60));
          const action = new vscode.CodeAction(title, kind);
          action.command = { title, command: commandId('runOnSelection'), arguments: [id] };
          return action;
        });
      },
    },
    { providedCodeActionKinds: [kind] },
  );
}
