import * as z from 'zod/mini';
import { frame } from '../../base/text/frame.ts';
import { defineTool, type Tool } from '../tool.ts';
import { pathDescription, type WorkflowAccess } from './workflowAccess.ts';

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
