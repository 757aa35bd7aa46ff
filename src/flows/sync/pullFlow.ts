import * as l10n from '@vscode/l10n';
import { delay } from '../../base/async/promises.ts';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { inline } from '../../base/text/oneLine.ts';
import type { OpenapiClient } from '../../platform/openapi/openapiClient.ts';
import { isFlowMode, modeOf, readFlow } from '../dsl/readFlow.ts';
import type { FlowLink } from './flowLinks.ts';
import { hashOfDsl } from '../flowState.ts';

export interface FlowServer {
  readonly origin: string;
  readonly workspaceId: string;
  readonly client: Pick<
    OpenapiClient,
    | 'canPublish'
    | 'checkImport'
    | 'confirmImport'
    | 'exportDraft'
    | 'exportDsl'
    | 'importDsl'
    | 'missingPlugins'
    | 'publish'
  >;
}

export interface PulledFlow {
  readonly text: string;
  readonly link: FlowLink;
}

/** Exports an app's draft, without its secrets. Throws for what is no workflow or chatflow. */
export async function pullFlow(
  { client, origin, workspaceId }: FlowServer,
  { appId, path }: Pick<FlowLink, 'appId' | 'path'>,
  signal: AbortSignal,
): Promise<PulledFlow> {
  const text = await client.exportDsl(appId, {}, signal);
  const mode = modeOf(readFlow(text));
  if (!isFlowMode(mode)) {
    throw new SwitchboardError(
      'request',
      l10n.t('Only workflows and chatflows can be pulled; the mode is "{0}".', inline(mode ?? '', 40)),
    );
  }
  const hash = hashOfDsl(text);
  return { text, link: { path, appId, workspaceId, server: origin, synced: { file: hash, platform: hash } } };
}

const perMinute = 60;
const longestWaitMs = 120_000;

export interface PullAllProgress {
  readonly done: number;
  readonly total: number;
  readonly leftMs: number;
}

/** Waits out the platform's limit of 60 requests a minute. What was pulled before an abort stays. */
export async function pullEach<T>(
  items: readonly T[],
  pull: (item: T, signal: AbortSignal) => Promise<void>,
  options: {
    signal: AbortSignal;
    report: (progress: PullAllProgress) => void;
    wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  },
): Promise<{ failed: { item: T; error: unknown }[] }> {
  const { signal, report, wait = delay } = options;
  const failed: { item: T; error: unknown }[] = [];
  for (const [done, item] of items.entries()) {
    signal.throwIfAborted();
    report({ done, total: items.length, leftMs: ((items.length - done) * 60_000) / perMinute });
    for (;;) {
      try {
        await pull(item, signal);
        break;
      } catch (error) {
        signal.throwIfAborted();
        const waitMs =
          error instanceof SwitchboardError && error.code === 'rate-limit' ? error.retryAfterMs : undefined;
        if (waitMs === undefined || waitMs > longestWaitMs) {
          failed.push({ item, error });
          // Whatever follows fails in the same way.
          if (error instanceof SwitchboardError && error.code === 'key') return { failed };
          break;
        }
        const left = items.length - done;
        report({ done, total: items.length, leftMs: waitMs + (left * 60_000) / perMinute });
        await wait(waitMs, signal);
      }
    }
  }
  return { failed };
}
