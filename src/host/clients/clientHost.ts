import * as l10n from '@vscode/l10n';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { FileProblem } from '../../clients/clientFiles.ts';
import type { Machine } from '../../clients/clientProgram.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface ConfigureClientResult {
  configured: boolean;
  client?: string;
  files?: readonly string[];
  answered?: boolean;
}

export const nothing: ConfigureClientResult = { configured: false };

export function thisMachine(): Machine {
  return { home: homedir(), environment: process.env, exists: existsSync };
}

export function objectionTo(path: string): FileProblem | undefined {
  const uri = vscode.Uri.file(path);
  const isDirty = vscode.workspace.textDocuments.some(
    (document) => document.isDirty && document.uri.toString() === uri.toString(),
  );
  if (isDirty) return new FileProblem(path, l10n.t('{0} has unsaved changes. Save it first.', path));
  return !vscode.workspace.isTrusted && vscode.workspace.getWorkspaceFolder(uri)
    ? new FileProblem(path, l10n.t('{0} is in an untrusted workspace.', path))
    : undefined;
}

export async function tellProblem(
  notifications: Notifications,
  { message, path, line }: FileProblem,
): Promise<void> {
  const open = l10n.t('Open File');
  if ((await notifications.error(message, open)) !== open) return;
  const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  await vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(at, at) });
}
