import { planSteps, updatePlanName, type PlanStep } from '../../tools/plan/planSteps.ts';
import { planLine } from '../../tools/toolPhrases.ts';
import type { ChatItem } from './items.ts';

export function newestChecklist(items: readonly ChatItem[]): readonly PlanStep[] | undefined {
  const call = items.findLast(isChecklist);
  const steps = call?.type === 'tool' ? planSteps(call.input) : [];
  return steps.length > 0 ? steps : undefined;
}

/** The latest checklist while it is shown: a completed one until the next message, others one message longer. */
export function shownChecklist(items: readonly ChatItem[]): readonly PlanStep[] | undefined {
  const steps = newestChecklist(items);
  if (!steps) return undefined;
  const at = items.findLastIndex(isChecklist);
  const messages = items.slice(at).filter(({ type }) => type === 'user').length;
  const isDone = steps.every(({ state }) => state === 'done');
  return messages < (isDone ? 1 : 2) ? steps : undefined;
}

export function checklistLine(steps: readonly PlanStep[]): string {
  return planLine(steps);
}

export function checklistText(steps: readonly PlanStep[]): string {
  return steps.map(({ step, state }) => `- ${state}: ${step}`).join('\n');
}

function isChecklist(item: ChatItem): boolean {
  return item.type === 'tool' && isChecklistTool(item.name) && item.outcome?.state === 'done';
}

export function isChecklistTool(name: string): boolean {
  return name === updatePlanName;
}
