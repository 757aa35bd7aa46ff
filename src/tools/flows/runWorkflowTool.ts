import * as z from 'zod/mini';
import { defineTool, type Tool } from '../tool.ts';
import { pathDescription, type WorkflowAccess } from './workflowAccess.ts';

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
