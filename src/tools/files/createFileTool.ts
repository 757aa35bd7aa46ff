import * as z from 'zod/mini';
import { createProposal } from '../edits/editProposal.ts';
import { defineEditTool, type Tool } from '../tool.ts';
import { granted } from '../toolFailure.ts';
import type { ToolDependencies } from '../toolDependencies.ts';

export function createFileTool(deps: ToolDependencies): Tool {
  return defineEditTool({
    name: 'create_file',
    description:
      'Creates a new text file with the given content, and the folders it needs. Fails if the file exists.',
    input: z.object({
      path: z.string().check(z.describe('Relative to the workspace folder.')),
      content: z.string().check(z.describe('Of the whole file.')),
    }),
    async propose({ path, content }, context) {
      const file = granted(await deps.policy.check(path, 'create'));
      return createProposal(deps, [{ file, before: undefined, after: content }], context);
    },
  });
}
