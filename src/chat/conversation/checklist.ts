import { isPlanDone, planSteps, updatePlanName, type PlanStep } from '../../tools/plan/planSteps.ts';
import { planLine } from '../../tools/toolPhrases.ts';
import type { ChatItem, ToolItem } from './items.ts';

export function newestChecklist(items: readonly ChatItem[]): readonly PlanStep[] | undefined {
  const call = items.findLast(isChecklist);
  const steps = call?.type === 'tool' ? planSteps(call.input) : [];
  return steps.length > 0 ? steps : undefined;
}

export function shownChecklist(items: readonly ChatItem[]): readonly PlanStep[] | undefined {
  const steps = newestChecklist(items);
  if (!steps || isPlanDone(steps)) return undefined;
  const at = items.findLastIndex(isChecklist);
  return items.slice(at).filter(({ type }) => type === 'user').length < 2 ? steps : undefined;
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

/** True for an update that the plan's own place shows. The one that completes it, and failed ones, have a line. */
export function isShownByPlan(item: ToolItem): boolean {
  const { name, title, input, state, outcome } = item;
  if (title !== undefined || !isChecklistTool(name) || state === 'asking') return false;
  return outcome ? outcome.state === 'done' && !isPlanDone(planSteps(input)) : true;
}

export function isChecklistTool(name: string): boolean {
  return name === updatePlanName;
}
