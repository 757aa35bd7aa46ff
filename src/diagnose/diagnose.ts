import * as l10n from '@vscode/l10n';
import { maskSecrets } from '../base/secrets/maskSecrets.ts';
import { secretsOfRoute } from '../net/routes.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import type { RelayClient } from '../relay/relayClient.ts';
import { networkSteps, type NetworkAccess } from './networkSteps.ts';
import { platformSteps } from './platformSteps.ts';
import { relaySteps, type TestedModel } from './relaySteps.ts';
import { type Diagnosis, stepLabel } from './report.ts';
import { runSteps, type Step, type StepName, type StepResult } from './step.ts';

export type DiagnosedServer =
  | { kind: 'relay'; baseUrl: string; client: RelayClient | undefined; model: TestedModel }
  | { kind: 'platform'; baseUrl: string; client: PlatformClient | undefined };

export interface DiagnoseOptions {
  network: NetworkAccess;
  /** Secrets that servers and proxies may repeat: the key, and header values. */
  secrets: readonly string[];
  signal: AbortSignal;
  onStep(name: StepName): void;
}

export async function diagnose(
  server: DiagnosedServer,
  { network, secrets, signal, onStep }: DiagnoseOptions,
): Promise<Diagnosis> {
  const { kind, baseUrl } = server;
  network.http.askAgain();
  const hidden = [...secrets];
  const lookForWay = async () => {
    const way = await network.http.wayTo(new URL(baseUrl), signal);
    hidden.push(...secretsOfRoute(way.route));
    return way;
  };
  const steps = [
    ...networkSteps(baseUrl, await lookForWay(), { ...network, lookForWay }),
    ...(server.kind === 'relay'
      ? relaySteps(server.client, server.model)
      : platformSteps(server.client, Date.now)),
  ];
  return { kind, baseUrl, results: await takeSteps(steps, hidden, { signal, onStep }) };
}

export async function takeSteps(
  steps: readonly Step[],
  secrets: readonly string[],
  { signal, onStep }: Pick<DiagnoseOptions, 'signal' | 'onStep'>,
): Promise<StepResult[]> {
  const skipReason = (failed: StepName) => l10n.t('"{0}" failed.', stepLabel(failed));
  const mask = (text: string) => maskSecrets(text, secrets);
  return (await runSteps(steps, { signal, onStep, skipReason })).map((result) => masked(result, mask));
}

function masked(result: StepResult, mask: (text: string) => string): StepResult {
  const { text, advice, cause } = result;
  return {
    ...result,
    text: mask(text),
    ...(advice !== undefined && { advice: mask(advice) }),
    ...(cause !== undefined && { cause: mask(cause) }),
  };
}
