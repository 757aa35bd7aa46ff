import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { AppRecord } from '../../apps/appRegistry.ts';
import { canRunAs } from '../../apps/appKinds.ts';
import { textOf } from '../../apps/appForm.ts';
import type { AppService } from '../../apps/appService.ts';
import { answersOf, describeInputs } from '../../apps/run/givenInputs.ts';
import { performRun } from '../../apps/run/performRun.ts';
import { toRunOutput } from '../../apps/run/runOutput.ts';
import type { LocalFiles } from '../../apps/fileReferences.ts';
import type { PlannedCall } from './confirmedCalls.ts';

export interface WorkflowRunDependencies {
  apps: AppService;
  memory: { readonly offeredApps: readonly string[] };
  files(): Promise<LocalFiles>;
}

const runInput = z.object({
  workflow: z.optional(z.string()),
  inputs: z.optional(z.record(z.string(), z.unknown())),
});

/** A run of an offered workflow, for others than our own chat. The user confirms each. */
export function planWorkflowRun(
  deps: WorkflowRunDependencies,
  input: unknown,
  signal: AbortSignal,
): Promise<PlannedCall> {
  return parsed(runInput, input, (given) => planRun(deps, given, signal));
}

async function planRun(
  deps: WorkflowRunDependencies,
  { workflow, inputs = {} }: z.infer<typeof runInput>,
  signal: AbortSignal,
): Promise<PlannedCall> {
  const offered = offeredWorkflows(deps);
  if (offered.length === 0) return { problem: 'The user offers no workflow.' };
  const app = offered.find(({ name }) => name === workflow);
  if (!app) {
    return tellNames(
      l10n.t('Share the list of your workflows?'),
      'Run one of these workflows:',
      offered.map(({ name }) => name),
    );
  }
  const client = await deps.apps.client(app.id);
  const parameters = await client.parameters(signal);
  const given = answersOf(parameters.form, inputs, parameters.files.maxBytes);
  if ('problem' in given) {
    return {
      ...tellNames(l10n.t("Share the workflow's inputs?"), describeInputs(parameters.form), []),
      message: app.name,
      run: () => Promise.resolve(given.problem),
    };
  }
  const { answers } = given;
  const values = Object.entries(answers).map(([name, value]) => `${name}: ${textOf(value)}`);
  return {
    title: l10n.t('Run the workflow "{0}"?', app.name),
    message: [l10n.t('Inputs sent:'), ...values].join('\n'),
    progress: l10n.t('Running {0}', app.name),
    run: async (stop) => {
      const { files } = deps;
      const order = { client, kind: 'workflow' as const, parameters, answers, files, stream: true };
      const { progress, error } = await performRun(order, stop, () => undefined);
      const { text } = toRunOutput(progress, app);
      if (error) return [`The run failed: ${error.message}`, text].filter(Boolean).join('\n\n');
      return progress.waitsFor ? 'The run waits for human input on the platform.' : text || 'No output.';
    },
  };
}

export function offeredWorkflows({
  apps,
  memory,
}: Pick<WorkflowRunDependencies, 'apps' | 'memory'>): AppRecord[] {
  const { offeredApps } = memory;
  return apps.apps.filter((app) => canRunAs(app, 'workflow') && offeredApps.includes(app.id));
}

/** Confirmed first, as names may be private. */
export function tellNames(
  title: string,
  intro: string,
  names: readonly string[],
): Exclude<PlannedCall, { problem: string }> {
  const text = [intro, ...names.map((name) => `- ${name}`)].join('\n');
  return { title, message: names.join(', '), progress: title, run: () => Promise.resolve(text) };
}

export async function parsed<T>(
  schema: z.ZodMiniType<T>,
  input: unknown,
  plan: (input: T) => Promise<PlannedCall>,
): Promise<PlannedCall> {
  const { success, data, error } = schema.safeParse(input);
  return success ? plan(data) : { problem: `The input is not valid: ${z.prettifyError(error)}` };
}
