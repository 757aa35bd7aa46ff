import * as z from 'zod/mini';
import { mostPlanSteps, planStates, updatePlanName } from './planSteps.ts';
import { defineTool, type Tool } from '../tool.ts';

export function updatePlanTool(): Tool {
  return defineTool({
    name: updatePlanName,
    description:
      'Shows the user a checklist for work of three steps and more. Call it again when a state changes; one step is ' +
      'doing at a time.',
    input: z.object({
      steps: z
        .array(
          z.object({
            step: z.string(),
            state: z.enum(planStates),
          }),
        )
        .check(z.maxLength(mostPlanSteps), z.describe(`Always all, at most ${mostPlanSteps}.`)),
    }),
    risk: 'read',
    async run({ steps }) {
      const done = steps.filter(({ state }) => state === 'done').length;
      return { content: `The user sees it: ${done} of ${steps.length} done.`, isError: false };
    },
  });
}
