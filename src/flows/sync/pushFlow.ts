import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { inline } from '../../base/text/oneLine.ts';
import type { DslImport, ImportIssue, ImportRequest } from '../../platform/openapi/openapiRecords.ts';
import { describeFlowChanges } from '../describeFlowChanges.ts';
import { nodeName } from '../dsl/nodeKinds.ts';
import { type Flow, isFlowMode, modeOf, readFlow } from '../dsl/readFlow.ts';
import { type FlowState, flowState, hashOfDsl, type SyncedHashes } from '../flowState.ts';
import { emptySecrets, fillSecrets } from './fillSecrets.ts';
import type { FlowLink } from './flowLinks.ts';
import type { FlowServer } from './pullFlow.ts';

export interface PushPlan {
  readonly link: FlowLink;
  readonly file: Flow;
  readonly platform: Flow;
  readonly state: FlowState;
  readonly changes: readonly string[];
  readonly hasSecrets: boolean;
  /** Trigger nodes whose schedule, address or subscription an import resets. */
  readonly resetTriggers: readonly string[];
  /** Problems that the platform finds in the file; empty before 1.18, which doesn't look for any. */
  readonly issues: readonly ImportIssue[];
}

export interface PushResult {
  readonly link: FlowLink;
  readonly outcome: DslImport;
  readonly emptySecrets: readonly string[];
  readonly missingPlugins: readonly string[];
  /** False before 1.18, and where it could not be found out. */
  readonly canPublish: boolean;
}

export async function planPush(
  server: FlowServer,
  link: FlowLink,
  fileText: string,
  signal: AbortSignal,
): Promise<PushPlan> {
  const file = readFlow(fileText);
  requireFlow(file);
  const { client } = server;
  const platform = readFlow(await client.exportDsl(link.appId, {}, signal));
  const [own, there] = [modeOf(file), modeOf(platform)];
  // The platform doesn't check it, and makes a workflow of a chatflow.
  if (own !== there) {
    throw new SwitchboardError(
      'conflict',
      l10n.t(
        'The file is of the mode "{0}", the app of "{1}". Push it as a new app.',
        inline(own ?? '', 40),
        inline(there ?? '', 40),
      ),
    );
  }
  return {
    ...{ link, file, platform },
    state: flowState(link.synced, { file: hashOfDsl(file.text), platform: hashOfDsl(platform.text) }),
    changes: describeFlowChanges(platform, file),
    hasSecrets: emptySecrets(file).length > 0,
    issues: await issuesOf(server, { yaml: fileText, appId: link.appId }, signal),
    resetTriggers: [...file.nodes].filter(({ type }) => type.startsWith('trigger-')).map(nodeName),
  };
}

async function issuesOf(
  { client, workspaceId }: FlowServer,
  request: ImportRequest,
  signal: AbortSignal,
): Promise<readonly ImportIssue[]> {
  try {
    return (await client.checkImport(workspaceId, request, signal)) ?? [];
  } catch (error) {
    signal.throwIfAborted();
    // A failed check doesn't stop the push: the import itself rejects invalid content.
    if (error instanceof SwitchboardError && error.status !== undefined) return [];
    throw error;
  }
}

/** Overwrites the app. Throws `conflict` if the draft isn't the plan's. `confirm`: for a DSL of another version. */
export async function carryOutPush(
  server: FlowServer,
  plan: PushPlan,
  confirm: (pending: DslImport) => Promise<boolean>,
  signal: AbortSignal,
): Promise<PushResult | undefined> {
  const { link, file } = plan;
  const { client } = server;
  const { appId } = link;
  const secrets = plan.hasSecrets
    ? fillSecrets(file, readFlow(await client.exportDsl(appId, { includeSecret: true }, signal)))
    : { yaml: file.text, empty: [] };
  // Before 1.18 the import itself notices no change of others.
  const now = await client.exportDraft(appId, signal);
  if (now.text !== plan.platform.text) throw changedMeanwhile();
  const request = { yaml: secrets.yaml, appId, ...(now.hash && { draftHash: now.hash }) };
  const outcome = await importDsl(server, request, confirm, signal);
  if (!outcome) return undefined;
  return {
    link: { ...link, synced: await syncedAfter(server, appId, file, signal) },
    ...{ outcome, emptySecrets: secrets.empty, ...(await needsAfter(server, appId, signal)) },
  };
}

/** Creates a new app from a file; its secrets are empty, and it runs once it is published. */
export async function pushAsNewApp(
  server: FlowServer,
  { path, text, name }: { path: string; text: string; name: string },
  confirm: (pending: DslImport) => Promise<boolean>,
  signal: AbortSignal,
): Promise<PushResult | undefined> {
  const file = readFlow(text);
  requireFlow(file);
  const outcome = await importDsl(server, { yaml: text, name }, confirm, signal);
  const appId = outcome?.appId;
  if (!outcome || appId === undefined) return undefined;
  const { origin, workspaceId } = server;
  const synced = await syncedAfter(server, appId, file, signal);
  return {
    link: { path, appId, workspaceId, server: origin, synced },
    outcome,
    emptySecrets: emptySecrets(file).map(({ name: secret }) => secret),
    ...(await needsAfter(server, appId, signal)),
  };
}

/** The import is done: if the draft can't be read now, the file's text stands in for it. */
async function syncedAfter(
  { client }: FlowServer,
  appId: string,
  { text }: Flow,
  signal: AbortSignal,
): Promise<SyncedHashes> {
  const draft = await client.exportDsl(appId, {}, signal).catch(() => text);
  return { file: hashOfDsl(text), platform: hashOfDsl(draft) };
}

async function needsAfter(
  { client }: FlowServer,
  appId: string,
  signal: AbortSignal,
): Promise<Pick<PushResult, 'missingPlugins' | 'canPublish'>> {
  return {
    missingPlugins: await client.missingPlugins(appId, signal).catch(() => []),
    canPublish: await client.canPublish(appId, signal).catch(() => false),
  };
}

async function importDsl(
  { client, workspaceId }: FlowServer,
  request: ImportRequest,
  confirm: (pending: DslImport) => Promise<boolean>,
  signal: AbortSignal,
): Promise<DslImport | undefined> {
  const outcome = await client.importDsl(workspaceId, request, signal).catch((error: unknown) => {
    throw isDraftChanged(error) ? changedMeanwhile(error) : error;
  });
  if (outcome.status !== 'pending') return outcome;
  if (!(await confirm(outcome))) return undefined;
  return client.confirmImport(workspaceId, outcome.id, signal);
}

/** Matches the message documented for 1.18. */
function isDraftChanged(error: unknown): boolean {
  return error instanceof SwitchboardError && /draft changed after it was exported/i.test(error.why ?? '');
}

function changedMeanwhile(cause?: unknown): SwitchboardError {
  return new SwitchboardError(
    'conflict',
    l10n.t(
      'The app was changed on the platform a moment ago. Nothing was pushed. Push again to see the changes.',
    ),
    { cause },
  );
}

function requireFlow(file: Flow): void {
  if (isFlowMode(modeOf(file))) return;
  throw new SwitchboardError(
    'local-file',
    l10n.t('This file is not the DSL of a workflow or chatflow. Nothing was pushed.'),
  );
}
