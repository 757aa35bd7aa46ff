import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppRecord } from '../../apps/appRegistry.ts';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { inline } from '../../base/text/oneLine.ts';
import type { AppCommandContext } from '../apps/appCommandContext.ts';
import { withProgress } from '../ui/withProgress.ts';
import { toPath } from '../workspace/workspacePlaces.ts';
import { serverOf } from './flowWorkspace.ts';
import { chooseFlow, fileName, usualFolder } from './pullFlows.ts';
import { confirmModal } from '../ui/modals.ts';

/** Asks twice, and only writes to a file that the file policy refuses, linked to no app. Returns its path. */
export async function pullWorkflowWithSecrets(
  context: AppCommandContext,
  app: AppRecord | undefined,
): Promise<string | undefined> {
  const chosen = app ?? (await chooseFlow(context));
  if (!chosen?.account) return undefined;
  const name = inline(chosen.name, 60);
  const isWanted = await confirmModal(
    l10n.t('Pull {0} with its secrets?', name),
    l10n.t('Choose File…'),
    l10n.t(
      'They are written to the file as plain text. Everyone with access to the file can read them. Models never read it and uploads leave it out, by its name. Do not commit it.',
    ),
  );
  const uri = isWanted ? await chooseSecretFile(context, chosen) : undefined;
  if (!uri) return undefined;
  const path = vscode.workspace.asRelativePath(uri);
  const isSure = await confirmModal(
    l10n.t('Write the secrets of {0} to "{1}" as plain text?', name, path),
    l10n.t('Write Secrets'),
  );
  if (!isSure) return undefined;
  const server = await serverOf(context, { server: chosen.origin });
  const { appId } = chosen.account;
  await withProgress(context.notifications, l10n.t('Pulling {0}…', name), async (signal) => {
    const text = await server.client.exportDsl(appId, { includeSecret: true }, signal);
    await requireRefused(context, uri);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  });
  void context.notifications.information(
    l10n.t('Pulled {0} with its secrets to "{1}". Models and uploads never read this file.', name, path),
  );
  return path;
}

async function chooseSecretFile(
  context: AppCommandContext,
  { name }: AppRecord,
): Promise<vscode.Uri | undefined> {
  const uri = await vscode.window.showSaveDialog({
    title: l10n.t('Pull {0} with Secrets', inline(name, 60)),
    defaultUri: vscode.Uri.joinPath(await usualFolder(), `secrets.${fileName(name)}`),
    filters: { YAML: ['yml', 'yaml'] },
  });
  if (uri) await requireRefused(context, uri);
  return uri;
}

/** Throws for a file that a model could read. Its folder may be ignored or excluded today, so that only the name counts. */
async function requireRefused(context: AppCommandContext, uri: vscode.Uri): Promise<void> {
  const { policy } = (await context.tools()).dependencies;
  const verdict = await policy.check(toPath(uri), 'create');
  const isSecret = !verdict.isAllowed && ['credentials', 'environment', 'key'].includes(verdict.reason);
  if (isSecret && !(await isLink(uri))) return;
  throw new SwitchboardError(
    'local-file',
    l10n.t(
      'Models could read "{0}". Choose a file in this workspace whose name begins with "secrets.".',
      vscode.workspace.asRelativePath(uri),
    ),
  );
}

/** A link has another name, too. */
async function isLink(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.SymbolicLink) !== 0;
  } catch {
    return false;
  }
}
