import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { commandId } from '../ids.ts';

export function registerFixActions(isOffered: () => boolean): Disposable {
  const kind = vscode.CodeActionKind.QuickFix;
  return vscode.languages.registerCodeActionsProvider(
    '*',
    {
      provideCodeActions({ uri }, _range, { diagnostics }) {
        const problems = diagnostics.filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning);
        const [first, ...others] = problems;
        if (!first || !isOffered()) return [];
        const title = l10n.t('Fix with Switchboard');
        const action = new vscode.CodeAction(title, kind);
        const range = others.reduce((sofar, each) => sofar.union(each.range), first.range);
        action.command = { title, command: commandId('fixSelection'), arguments: [uri, range] };
        action.diagnostics = problems;
        return [action];
      },
    },
    { providedCodeActionKinds: [kind] },
  );
}
