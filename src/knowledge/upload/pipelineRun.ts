import * as l10n from '@vscode/l10n';
import { messageOf, rejudge, SwitchboardError } from '../../base/errors/errors.ts';
import { parsePythonLiteral } from '../../base/text/pythonLiteral.ts';
import type { PipelineFile, StartedPipeline } from '../../platform/records.ts';

export interface RefusedInput {
  variable: string;
  answer?: string;
  why: string;
  options?: readonly string[];
}

export interface PipelineRun {
  files: readonly PipelineFile[];
  /** Answers by variable; those given meanwhile are added. */
  inputs: Map<string, string>;
  run(files: readonly PipelineFile[], inputs: Readonly<Record<string, string>>): Promise<StartedPipeline>;
  ask(input: RefusedInput): Promise<string | undefined>;
}

/**
 * Runs a pipeline, asking for each input that the platform names; undefined when dismissed. The first file goes alone,
 * as a refused run's documents stay there unindexed. Source: platform-api.md 7.8.
 */
export async function runWithInputs({
  files: [first, ...others],
  inputs,
  run,
  ask,
}: PipelineRun): Promise<StartedPipeline | undefined> {
  if (!first) return { documents: [] };
  let started: StartedPipeline | undefined;
  while (!started) {
    try {
      started = await run([first], Object.fromEntries(inputs));
    } catch (error) {
      const refused = readRefusedInput(error, inputs);
      if (!refused) throw error;
      const answer = await ask(refused);
      if (answer === undefined) return undefined;
      inputs.set(refused.variable, answer);
    }
  }
  if (others.length === 0) return started;
  try {
    const { documents } = await run(others, Object.fromEntries(inputs));
    return { documents: [...started.documents, ...documents] };
  } catch (error) {
    // The first document is on its way, so the outcome of the others is told with it.
    const failed = others.map(({ id }) => ({ id, error: messageOf(error) }));
    return { documents: [...started.documents, ...failed] };
  }
}

function readRefusedInput(error: unknown, inputs: ReadonlyMap<string, string>): RefusedInput | undefined {
  if (!(error instanceof SwitchboardError) || error.serverCode !== 'pipeline_run_error') return undefined;
  const { why = '' } = error;
  const [, variable, , listed] =
    /^(\S+) (is required in input form|in input form must be (?:one of the following: (.*)|a valid number|less than \d+ characters))/s.exec(
      why,
    ) ?? [];
  if (variable === undefined) return undefined;
  const answer = inputs.get(variable);
  const options = listed === undefined ? undefined : parsePythonLiteral(listed);
  const texts = Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [];
  return {
    variable,
    why,
    ...(answer !== undefined && { answer }),
    ...(texts.length > 0 && { options: texts }),
  };
}

/** Names an unpublished pipeline, which the platform tells by its message alone. */
export function toPipelineError(error: unknown, baseName: string): unknown {
  return error instanceof SwitchboardError &&
    /^(Pipeline or workflow not found|Workflow not published)/.test(error.why ?? '')
    ? rejudge(
        error,
        'request',
        l10n.t(
          'The pipeline of "{0}" isn\'t published. Publish it on the platform, then try again.',
          baseName,
        ),
      )
    : error;
}
