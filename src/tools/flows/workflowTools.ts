import * as z from 'zod/mini';
import { frame } from '../../base/text/frame.ts';
import { defineTool, type Tool } from '../tool.ts';

const pathDescription = 'Of the workflow file, relative to the workspace folder.';

export function runWorkflowTool(access: WorkflowAccess): Tool {
  return defineTool({
    name: 'run_workflow',
    description:
      "Runs the published version of the app that a workflow's file is linked to, on the platform, and gives its outputs " +
      'and the nodes that failed. Changes in the file are not run until the user has pushed and published them.',
    input: z.object({
      path: z.string().check(z.describe(pathDescription)),
      inputs: z.optional(
        z
          .record(z.string(), z.unknown())
          .check(z.describe('Values by variable; get_workflow_state names them.')),
      ),
      message: z.optional(z.string().check(z.describe('For chatflows: the message to send.'))),
    }),
    risk: 'external',
    // The file of links says which app runs, so the question names it.
    async judge(input, toolRule) {
      return { rule: toolRule, shown: { ...input, ...(await access.target(input.path)) } };
    },
    async run({ path, inputs = {}, message }, { signal }) {
      const { text, isError } = await access.run(path, { inputs, message }, signal);
      return { content: text, isError };
    },
  });
}

export function getWorkflowStateTool(access: WorkflowAccess): Tool {
  return defineTool({
    name: 'get_workflow_state',
    description:
      "Compares a workflow's file with the app on the platform that it is linked to, without changing either. Gives " +
      'where they differ by node, the inputs of a run, and how the nodes did in the last run. A run uses the published ' +
      'version; only the user pushes and publishes the file.',
    input: z.object({
      path: z.string().check(z.describe(pathDescription)),
      dsl: z.optional(z.boolean().check(z.describe("Also give the DSL of the platform's draft."))),
    }),
    risk: 'read',
    async run({ path, dsl = false }, { signal }) {
      const body = await access.state(path, dsl, signal);
      return { content: frame({ kind: 'workflow', facts: { path }, body }), isError: false };
    },
  });
}

/** The workflows and chatflows that are files of this workspace, and their platforms. Throws `ToolFailure` for a path that is none. */
export interface WorkflowAccess {
  /** The app that a run of this file would run. */
  target(path: string): Promise<{ app: string; server: string }>;
  /** The platform's state of the file's app, in words; `withDsl` adds the draft's DSL. */
  state(path: string, withDsl: boolean, signal: AbortSignal): Promise<string>;
  run(
    path: string,
    given: { inputs: Readonly<Record<string, unknown>>; message?: string | undefined },
    signal: AbortSignal,
  ): Promise<{ text: string; isError: boolean }>;
}
