import { planSteps, updatePlanName, type PlanStep } from '../tools/planSteps.ts';
import { planLine } from '../tools/toolPhrases.ts';
import type { ChatItem } from './items.ts';

/** The checklist that a model told last; undefined without one, and where it took it back. */
export function newestChecklist(items: readonly ChatItem[]): readonly PlanStep[] | undefined {
  const call = items.findLast(isChecklist);
  const steps = call?.type === 'tool' ? planSteps(call.input) : [];
  return steps.length > 0 ? steps : undefined;
}

/** The same, as long as the user is to see it: one that is done goes with the next message, any other with the one after. */
export function shownChecklist(items: readonly ChatItem[]): readonly PlanStep[] | undefined {
  const steps = newestChecklist(items);
  if (!steps) return undefined;
  const at = items.findLastIndex(isChecklist);
  const messages = items.slice(at).filter(({ type }) => type === 'user').length;
  const isDone = steps.every(({ state }) => state === 'done');
  return messages < (isDone ? 1 : 2) ? steps : undefined;
}

/** On one line, in the user's language. */
export function checklistLine(steps: readonly PlanStep[]): string {
  return planLine(steps);
}

/** As a model reads it again where its call is not sent any more. */
export function checklistText(steps: readonly PlanStep[]): string {
  return steps.map(({ step, state }) => `- ${state}: ${step}`).join('\n');
}

function isChecklist(item: ChatItem): boolean {
  return item.type === 'tool' && item.name === updatePlanName && item.outcome?.state === 'done';
}
