import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inline } from '../../base/text/oneLine.ts';
import { carryOutPublish, planPublish, type PublishPlan } from '../../flows/sync/publishFlow.ts';
import type { AppCommandContext } from '../apps/appCommandContext.ts';
import { withProgress } from '../ui/withProgress.ts';
import { linkedFiles, readText, serverOf } from './flowWorkspace.ts';
import { confirmModal } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface FlowTarget {
  readonly baseUrl: string;
  readonly server: string;
  readonly appId: string;
  readonly name: string;
  readonly isFlow: boolean;
}

const mostShown = 12;

export async function openInConsole({ baseUrl, appId, isFlow }: FlowTarget): Promise<string> {
  const page = `${baseUrl}/app/${encodeURIComponent(appId)}/${isFlow ? 'workflow' : 'configuration'}`;
  await vscode.env.openExternal(vscode.Uri.parse(page, true));
  return page;
}

/** Publishes by the platform's call (documented since 1.18), else offers its console. True if published. */
export async function publishWorkflow(context: AppCommandContext, target: FlowTarget): Promise<boolean> {
  const { appId, server: origin } = target;
  const server = await serverOf(context, target);
  const file = (await linkedFiles()).find(({ link }) => link.appId === appId && link.server === origin);
  const text = file && (await readText(file.uri));
  const plan = await withProgress(
    context.notifications,
    l10n.t('Comparing with the platform…'),
    async (signal) =>
      (await server.client.canPublish(appId, signal)) ? planPublish(server, appId, text, signal) : undefined,
  );
  const name = inline(target.name, 60);
  if (!plan) {
    void offerConsole(
      context.notifications,
      target,
      l10n.t('{0} is published in the console of this platform.', name),
    );
    return false;
  }
  const note = await vscode.window.showInputBox({
    title: l10n.t('Publish {0}', name),
    prompt: l10n.t('Note for this version (optional)'),
    ignoreFocusOut: true,
  });
  if (note === undefined) return false;
  const isSure = await confirmModal(
    l10n.t('Publish the draft of {0}?', name),
    l10n.t('Publish'),
    describePublish(plan).join('\n'),
  );
  if (!isSure) return false;
  const warning = await withProgress(context.notifications, l10n.t('Publishing {0}…', name), (signal) =>
    carryOutPublish(server, plan, note.trim(), signal),
  );
  if (warning)
    void context.notifications.warning(l10n.t('Published {0}. Server response: {1}', name, inline(warning)));
  else void context.notifications.information(l10n.t('Published {0}.', name));
  return true;
}

export async function offerConsole(
  notifications: Notifications,
  target: FlowTarget,
  text: string,
): Promise<void> {
  const open = l10n.t('Open in Console');
  if ((await notifications.information(text, open)) === open) await openInConsole(target);
}

function describePublish({ changes }: PublishPlan): string[] {
  const lines = [l10n.t('Runs use it immediately.')];
  if (changes && changes.length > 0) {
    lines.push('', l10n.t('The draft differs from the file:'));
    lines.push(...changes.slice(0, mostShown).map((change) => `• ${change}`));
  }
  return lines;
}
