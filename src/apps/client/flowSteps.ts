import type { JsonObject } from '../../base/json.ts';
import type { AppStep } from '../app.ts';
import { readAgentStep, readStep } from './appWire.ts';

const statuses: Readonly<Record<string, AppStep['status']>> = {
  node_started: 'running',
  node_retry: 'retrying',
  node_finished: 'succeeded',
  iteration_started: 'running',
  iteration_next: 'running',
  iteration_completed: 'succeeded',
  loop_started: 'running',
  loop_next: 'running',
  loop_completed: 'succeeded',
};

export class FlowSteps {
  private readonly steps = new Map<string, AppStep>();
  private failed: AppStep | undefined;

  get failedStep(): AppStep | undefined {
    return this.failed;
  }

  read(kind: string, data: JsonObject): AppStep | undefined {
    const find = (id: string) => this.steps.get(id);
    if (kind === 'agent_log') return this.keep(readAgentStep(data, find));
    const status = statuses[kind];
    if (!status) return undefined;
    const loop = /^(iteration|loop)_/.exec(kind)?.[1];
    const step = this.keep(readStep(data, { status, loop }, find));
    if (status === 'succeeded' && step.status === 'failed' && !(loop && this.failed)) this.failed = step;
    return step;
  }

  private keep(step: AppStep): AppStep {
    this.steps.set(step.id, step);
    return step;
  }
}
