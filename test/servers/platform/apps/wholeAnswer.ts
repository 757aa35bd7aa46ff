import type { Exchange } from '../../http/httpServer.ts';
import type { Reply } from '../../http/reply.ts';
import { refusal } from '../platformErrors.ts';
import { ok } from '../platformRoute.ts';
import type { StoredRun } from './appRecords.ts';
import { isObject } from './inputForm.ts';
import type { AppJob, AppOutcome } from './runScript.ts';
import { workflowIdOf } from './workflowId.ts';

/** Sends an answer that isn't streamed. A broken one breaks the connection. */
export function wholeAnswer(job: AppJob, outcome: AppOutcome, exchange: Exchange): Reply | void {
  const { app, live, message, run } = job;
  if (outcome.type === 'failed') throw refusal(outcome.status, outcome.code, outcome.message);
  if (outcome.type === 'broken') return exchange.destroy('fin');
  if (!message) {
    if (!run) throw new Error('A workflow has a run.');
    const reasons = outcome.type === 'paused' ? pauseFields(outcome.data) : {};
    const data = { ...runRecord(run), workflow_id: workflowIdOf(app), ...reasons };
    return ok({ task_id: live.taskId, workflow_run_id: run.id, data });
  }
  if (run?.status === 'failed') throw refusal(400, 'completion_request_error', run.error ?? '');
  const { id, conversation, answer, createdAt } = message;
  const ids = {
    task_id: live.taskId,
    id,
    message_id: id,
    ...(conversation && { conversation_id: conversation.id }),
    mode: app.mode,
  };
  if (outcome.type === 'paused') return ok({ ...outcome.data, ...ids, answer });
  return ok({ event: 'message', ...ids, answer, metadata: outcome.metadata, created_at: createdAt });
}

export function runRecord(run: StoredRun) {
  return {
    id: run.id,
    status: run.status,
    outputs: run.outputs,
    error: run.error,
    elapsed_time: run.seconds,
    total_tokens: run.tokens,
    total_steps: run.steps,
    created_at: run.createdAt,
    finished_at: run.finishedAt ?? null,
  };
}

function pauseFields({ data }: { data?: unknown }): object {
  return isObject(data) ? { reasons: data['reasons'], paused_nodes: data['paused_nodes'] } : {};
}
