import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inline } from '../../base/text/oneLine.ts';
import { moreChanges } from '../../flows/describeFlowChanges.ts';
import { nameOf } from '../../flows/dsl/readFlow.ts';
import { type FlowProblem, flowProblems } from '../../flows/flowProblems.ts';
import {
  carryOutPush,
  planPush,
  pushAsNewApp,
  type PushPlan,
  type PushResult,
} from '../../flows/sync/pushFlow.ts';
import type { DslImport } from '../../platform/openapi/openapiRecords.ts';
import type { AppCommandContext } from '../apps/appCommandContext.ts';
import { tellError } from '../ui/tellError.ts';
import { withProgress } from '../ui/withProgress.ts';
import { showComparison } from './compareFlow.ts';
import type { FlowFiles } from './flowFiles.ts';
import { findLinkedFile, linkedFile, saveLink, savedText, serverOf } from './flowWorkspace.ts';
import { askModal, confirmModal } from '../ui/modals.ts';

const mostShown = 12;

export async function pushWorkflow(context: AppCommandContext, uri: vscode.Uri): Promise<boolean> {
  const { folder, link } = await linkedFile(uri);
  const text = await savedText(uri);
  const server = await serverOf(context, link);
  const plan = await withProgress(context.notifications, l10n.t('Comparing with the platform…'), (signal) =>
    planPush(server, link, text, signal),
  );
  if (plan.changes.length === 0 && plan.state === 'same') {
    void context.notifications.information(
      l10n.t('"{0}" is the same on the platform. Nothing to push.', link.path),
    );
    return false;
  }
  const files = await context.flows.files();
  files.noteDraft(uri, plan.platform.text);
  files.noteIssues(uri, plan.issues);
  if (!(await confirmPush(files, uri, plan))) return false;
  const result = await withProgress(context.notifications, l10n.t('Pushing {0}…', link.path), (signal) =>
    carryOutPush(server, plan, confirmVersion, signal),
  );
  if (!result) return false;
  await saveLink(folder, result.link);
  files.forgetDraft(uri);
  files.noteMissingPlugins(uri, result.missingPlugins);
  void tellPushed(context, result);
  return true;
}

/** Makes a new app of a file; a file without a link is linked to it. Returns the new app's id. */
export async function pushWorkflowAsNew(
  context: AppCommandContext,
  uri: vscode.Uri,
): Promise<string | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const app = context.apps.apps.find(({ account }) => account);
  if (!folder || !app) {
    void context.notifications.warning(l10n.t('Open the folder of the file, and sign in to a platform.'));
    return undefined;
  }
  const text = await savedText(uri);
  const known = await findLinkedFile(uri);
  const server = await serverOf(context, { server: known?.link.server ?? app.origin });
  const name = await vscode.window.showInputBox({
    title: l10n.t('Push as New App'),
    prompt: l10n.t('Name of the new app on {0}', server.origin),
    validateInput: (value) => (value.trim() === '' ? l10n.t('Enter a name') : undefined),
  });
  if (name === undefined) return undefined;
  const path = uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
  const result = await withProgress(context.notifications, l10n.t('Pushing {0}…', path), (signal) =>
    pushAsNewApp(server, { path, text, name: name.trim() }, confirmVersion, signal),
  );
  if (!result) return undefined;
  if (!known) await saveLink(folder, result.link);
  (await context.flows.files()).noteMissingPlugins(uri, result.missingPlugins);
  void tellPushed(context, result);
  return result.link.appId;
}

/** Overwriting others' changes that weren't compared takes a deliberate choice: *Compare* comes first. */
async function confirmPush(files: FlowFiles, uri: vscode.Uri, plan: PushPlan): Promise<boolean> {
  const { link, platform, state } = plan;
  const isChangedThere = state === 'changedThere' || state === 'changedBoth';
  const isUnseen = isChangedThere && !files.hasCompared(uri, platform.text);
  const app = inline(nameOf(platform) ?? link.appId, 60);
  const compare = l10n.t('Compare');
  const push = isUnseen ? l10n.t('Overwrite') : l10n.t('Push');
  const lines = describePlan(plan);
  if (isChangedThere && !isUnseen) {
    lines.push(
      l10n.t("Changes on the platform that the file doesn't have are overwritten. You compared them."),
    );
  }
  const answer = await askModal(
    {
      severity: isUnseen ? 'warning' : 'information',
      text: isUnseen
        ? l10n.t('"{0}" was changed on the platform since the last pull. Overwrite those changes?', app)
        : l10n.t('Push "{0}" to "{1}" at {2}?', link.path, app, link.server),
      detail: lines.join('\n'),
    },
    ...(isUnseen ? [compare, push] : [push, compare]),
  );
  if (answer === compare) await showComparison(files, uri, platform.text);
  return answer === push;
}

/** Effects of a push, as recorded on 1.16.1. */
function describePlan(plan: PushPlan): string[] {
  const { changes, resetTriggers, hasSecrets, file, issues } = plan;
  const lines = changes.slice(0, mostShown).map((change) => `• ${change}`);
  if (changes.length > mostShown) lines.push(moreChanges(changes.length - mostShown));
  if (changes.length === 0) lines.push(l10n.t('Only formatting changed.'));
  lines.push(
    '',
    l10n.t(
      'The name, description and icon change immediately. The rest becomes the draft; runs use the published version until the draft is published.',
    ),
  );
  if (resetTriggers.length > 0) lines.push(l10n.t('Triggers that are reset: {0}.', resetTriggers.join(', ')));
  if (hasSecrets) lines.push(l10n.t('Secrets keep their values.'));
  const errors = errorsOf(flowProblems(file));
  if (errors > 0) lines.push(l10n.t('Errors in the file: {0}.', errors));
  if (issues.length > 0) {
    const found = issues.slice(0, 3).map(({ message }) => inline(message, 120));
    lines.push(l10n.t('The platform: {0}', found.join(' · ')));
  }
  return lines;
}

function errorsOf(problems: Iterable<FlowProblem>): number {
  return [...problems].filter(({ severity }) => severity === 'error').length;
}

/** The platform imports a DSL of another version only if it is confirmed. */
function confirmVersion({ importedVersion, serverVersion }: DslImport): Promise<boolean> {
  return confirmModal(
    l10n.t('Import a file of DSL version {0}?', inline(importedVersion, 20)),
    l10n.t('Import'),
    l10n.t('The platform has version {0}. Parts of the file may be lost or fail.', inline(serverVersion, 20)),
  );
}

async function tellPushed(
  context: AppCommandContext,
  { link, outcome, emptySecrets, missingPlugins, canPublish }: PushResult,
): Promise<void> {
  const lines = [l10n.t('Pushed as the draft.')];
  const { warnings, status, importedVersion, serverVersion } = outcome;
  if (status === 'completed-with-warnings' && importedVersion !== serverVersion) {
    lines.push(
      l10n.t(
        'The file is of DSL version {0}, the platform has {1}.',
        inline(importedVersion, 20),
        inline(serverVersion, 20),
      ),
    );
  }
  if (warnings.length > 0) lines.push(l10n.t('Server response: {0}', inline(warnings.join(' '))));
  if (emptySecrets.length > 0) {
    lines.push(
      l10n.t('Secrets without a value: {0}. Set them in the console.', inline(emptySecrets.join(', '))),
    );
  }
  if (missingPlugins.length > 0) {
    lines.push(l10n.t('Plugins to install on the platform: {0}.', inline(missingPlugins.join(', '))));
  }
  const [publish, open] = [l10n.t('Publish…'), l10n.t('Open in Console')];
  const severity = lines.length === 1 ? 'information' : 'warning';
  const answer = await context.notifications[severity](lines.join(' '), canPublish ? publish : open);
  if (answer === undefined) return;
  const { server: origin, appId } = link;
  const target = { baseUrl: origin, server: origin, appId, name: link.path, isFlow: true };
  const { openInConsole, publishWorkflow } = await import('./publishFlow.ts');
  try {
    if (answer === publish) await publishWorkflow(context, target);
    else await openInConsole(target);
  } catch (error) {
    tellError(context.notifications, error);
  }
}
