import { randomUUID } from 'node:crypto';
import type { StoredRun } from './appRecords.ts';

const threeDays = 3 * 24 * 60 * 60;

/** The `data` of the two events that make a run wait for a person. */
export function humanInput(
  run: StoredRun,
  title: string,
  content: string,
): { required: object; paused: object } {
  const form = {
    form_id: randomUUID(),
    node_id: 'approval',
    node_title: title,
    form_content: content,
    inputs: [],
    actions: [
      { id: 'approve', title: 'Approve', button_style: 'primary' },
      { id: 'reject', title: 'Reject', button_style: 'default' },
    ],
    display_in_ui: true,
    form_token: null,
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
  return { required: { ...form, expiration_time: run.createdAt + threeDays }, paused };
}
