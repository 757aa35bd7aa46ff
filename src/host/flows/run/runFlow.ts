import type * as vscode from 'vscode';
import type { AppEvent } from '../../../apps/app.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import { KeyedTwins } from '../../../apps/run/keyedTwins.ts';
import type { RunOutcome } from '../../../apps/run/performRun.ts';
import * as l10n from '@vscode/l10n';
import { memoize } from '../../../base/async/lazy.ts';
import { SwitchboardError } from '../../../base/errors/errors.ts';
import type { FlowLink } from '../../../flows/sync/flowLinks.ts';
import type { FlowServer } from '../../../flows/sync/pullFlow.ts';
import type { AppCommandsDependencies } from '../../apps/appCommandContext.ts';
import { serverOf } from '../flowWorkspace.ts';
import type { FileRun, FlowRuns } from './flowRuns.ts';

export type FlowRunContext = Pick<AppCommandsDependencies, 'apps' | 'keys' | 'clients' | 'flows'>;

/** A linked file with the app that runs it: that of the sign-in, or the same one by its own key. */
export interface FlowRunner {
  readonly uri: vscode.Uri;
  readonly link: FlowLink;
  readonly account: AppRecord;
  readonly app: AppRecord;
  readonly kind: 'workflow' | 'chatflow';
  readonly server: FlowServer;
}

const twinsOf = memoize((apps: FlowRunContext['apps']) => new KeyedTwins(apps));

/** Throws `key` without a sign-in to the file's platform, and if the app is not among those of the sign-in. */
export async function runnerOf(
  context: FlowRunContext,
  { uri, link }: Pick<FlowRunner, 'uri' | 'link'>,
  signal: AbortSignal,
): Promise<FlowRunner> {
  await context.apps.ready;
  const server = await serverOf(context, link);
  const account = context.apps.apps.find(
    (each) => each.account?.appId === link.appId && each.origin === link.server,
  );
  if (!account) {
    throw new SwitchboardError(
      'app-unavailable',
      l10n.t(
        "The app of this file isn't among those of your sign-in to {0}. Refresh the apps and try again.",
        link.server,
      ),
    );
  }
  const kind = account.kind === 'chatflow' ? 'chatflow' : 'workflow';
  const hasVersion = async (workflowId: string) =>
    (await versionText(server, link, workflowId, signal)) !== undefined;
  const keyed = await twinsOf(context.apps).find(account, hasVersion, signal);
  return { uri, link, account, app: keyed ?? account, kind, server };
}

export function followFileRun(
  context: FlowRunContext,
  runs: FlowRuns,
  { uri, link, account, app, server }: FlowRunner,
) {
  let run: FileRun | undefined;
  const begin = () => (run = runs.begin(uri, app !== account));
  return {
    begin,
    note: (event: AppEvent) => runs.note(run ?? begin(), event),
    async end(outcome: RunOutcome, signal: AbortSignal): Promise<FileRun> {
      const ended = run ?? begin();
      runs.end(ended, outcome);
      const { workflowId } = outcome.progress.run ?? {};
      const { runId } = outcome.progress;
      const text = workflowId === undefined ? undefined : await versionText(server, link, workflowId, signal);
      if (text !== undefined) runs.setPublished(ended, text);
      if (app === account && runId !== undefined) await twinsOf(context.apps).learn(account, runId, signal);
      return ended;
    },
  };
}

/** DSL of a published version; undefined if the app has no such version, or the account may not export it. */
async function versionText(
  { client }: FlowServer,
  { appId }: FlowLink,
  workflowId: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await client.exportDsl(appId, { workflowId }, signal);
  } catch (error) {
    if (error instanceof SwitchboardError && error.code !== 'cancelled') return undefined;
    throw error;
  }
}
