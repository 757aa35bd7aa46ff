import { randomUUID } from 'node:crypto';
import type { FormInput } from './appStep.ts';
import type { StoredRun } from './appRecords.ts';

const threeDays = 3 * 24 * 60 * 60;

export interface PendingForm {
  /** The app's key. */
  readonly app: string;
  readonly token: string;
  readonly title: string;
  readonly content: string;
  readonly inputs: readonly FormInput[];
  readonly expiresAt: number;
  state: 'open' | 'submitted' | 'expired';
  resume(action: string, inputs: Readonly<Record<string, unknown>>): void;
}

export const formActions = [
  { id: 'approve', title: 'Approve', button_style: 'primary' },
  { id: 'reject', title: 'Reject', button_style: 'default' },
];

export const approvalFields: readonly FormInput[] = [
  {
    type: 'paragraph',
    output_variable_name: 'comment',
    default: { type: 'constant', selector: [], value: 'None.' },
  },
  {
    type: 'select',
    output_variable_name: 'urgency',
    option_source: { type: 'constant', selector: [], value: ['today', 'this week'] },
  },
];

export function expiryOf(run: StoredRun): number {
  return run.createdAt + threeDays;
}

/** The `data` of the two events of a wait. Only newer servers include the form's token. */
export function humanInput(
  run: StoredRun,
  { title, content, inputs, expiresAt }: Pick<PendingForm, 'title' | 'content' | 'inputs' | 'expiresAt'>,
  token: string | null,
): { required: object; paused: object } {
  const form = {
    form_id: randomUUID(),
    node_id: 'approval',
    node_title: title,
    form_content: content,
    inputs,
    actions: formActions,
    display_in_ui: true,
    form_token: token,
    resolved_default_values: {},
  };
  const paused = {
    workflow_run_id: run.id,
    paused_nodes: [form.node_id],
    outputs: {},
    reasons: [{ TYPE: 'human_input_required', ...form }],
    status: 'paused',
    created_at: run.createdAt,
    elapsed_time: run.seconds,
    total_tokens: run.tokens,
    total_steps: run.steps,
  };
  return { required: { ...form, expiration_time: expiresAt }, paused };
}
