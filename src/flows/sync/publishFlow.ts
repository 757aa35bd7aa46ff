import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { describeFlowChanges } from '../describeFlowChanges.ts';
import { readFlow } from '../dsl/readFlow.ts';
import type { FlowServer } from './pullFlow.ts';

export interface PublishPlan {
  readonly appId: string;
  readonly draft: string;
  readonly changes: readonly string[] | undefined;
}

export async function planPublish(
  { client }: FlowServer,
  appId: string,
  fileText: string | undefined,
  signal: AbortSignal,
): Promise<PublishPlan> {
  const { text: draft } = await client.exportDraft(appId, signal);
  const changes =
    fileText === undefined ? undefined : describeFlowChanges(readFlow(fileText), readFlow(draft));
  return { appId, draft, changes };
}

/** Publishes the draft. Throws `conflict` if it is no longer that of the plan. Resolves with the server's warning. */
export async function carryOutPublish(
  { client }: FlowServer,
  { appId, draft }: PublishPlan,
  note: string,
  signal: AbortSignal,
): Promise<string> {
  // Publishing takes no hash of the draft.
  if ((await client.exportDraft(appId, signal)).text !== draft) {
    throw new SwitchboardError(
      'conflict',
      l10n.t('The draft was changed on the platform a moment ago. Nothing was published.'),
    );
  }
  return client.publish(appId, note, signal);
}
