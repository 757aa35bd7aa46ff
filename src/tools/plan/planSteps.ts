import { asObject, asText, parseJson, type JsonObject } from '../../base/json.ts';

export const updatePlanName = 'update_plan';

export const planStates = ['open', 'doing', 'done'] as const;
export type PlanState = (typeof planStates)[number];

export interface PlanStep {
  step: string;
  state: PlanState;
}

export const mostPlanSteps = 12;

export function planSteps({ steps }: JsonObject): PlanStep[] {
  // Some models send the list as JSON.
  const list = typeof steps === 'string' ? parseJson(steps) : steps;
  if (!Array.isArray(list)) return [];
  return list.slice(0, mostPlanSteps).flatMap((each) => {
    const { step, state } = asObject(each) ?? {};
    const text = asText(step)?.trim();
    const known = planStates.find((one) => one === state);
    return text && known ? [{ step: text, state: known }] : [];
  });
}

export function isPlanDone(steps: readonly PlanStep[]): boolean {
  return steps.length > 0 && steps.every(({ state }) => state === 'done');
}

export function currentStep(steps: readonly PlanStep[]): number | undefined {
  const doing = steps.findIndex(({ state }) => state === 'doing');
  const at = doing >= 0 ? doing : steps.findIndex(({ state }) => state === 'open');
  return at >= 0 ? at : undefined;
}
