import { randomUUID } from 'node:crypto';
import type { AppStep, ThoughtSpec } from './appStep.ts';
import { humanInput, type PendingForm } from './humanInput.ts';
import { NodeEvents } from './nodeEvents.ts';
import type { LiveRun } from './liveRun.ts';
import type { AppJob } from './runScript.ts';
import { usageOf } from './usage.ts';
import { workflowIdOf } from './workflowId.ts';

/** Events replayed to late listeners. */
const pastKinds: ReadonlySet<unknown> = new Set(['workflow_started', 'node_started', 'node_finished']);

type StepOf<Type extends AppStep['type']> = Extract<AppStep, { type: Type }>;

export class RunEvents {
  readonly pingsAtOnce: boolean;
  #job: AppJob;
  readonly #isFlow: boolean;
  readonly #nodes: NodeEvents;
  readonly #thoughts = new Map<string, string>();
  #files: readonly object[] = [];

  constructor(job: AppJob) {
    this.#job = job;
    const { app, context } = job;
    this.#nodes = new NodeEvents(() => context.store.seconds());
    this.#isFlow = app.mode === 'workflow' || app.mode === 'advanced-chat';
    this.pingsAtOnce =
      context.extras.includes('pings') || (this.#isFlow && context.version.isAtLeast('1.13'));
  }

  emit(event: object, count: number): void {
    const { live, context, app, run } = this.#job;
    const { extras } = context;
    if (run && 'event' in event && pastKinds.has(event.event)) run.past.push(event);
    const strange = extras.includes('unknown-fields') ? { sandbox_extra: { app: app.key, count } } : {};
    live.event({ ...(context.shape?.(event) ?? event), ...strange });
    if (extras.includes('pings') && count % 3 === 0) live.ping();
    if (extras.includes('unknown-events') && count % 4 === 0) {
      live.event({
        event: 'sandbox_novelty',
        task_id: live.taskId,
        data: { count, answer: 'not an answer' },
      });
    }
  }

  goOnIn(live: LiveRun): void {
    this.#job = { ...this.#job, live };
  }

  started(): object | undefined {
    const { run, app, turn } = this.#job;
    if (!run) return undefined;
    return this.#flow('workflow_started', {
      id: run.id,
      workflow_id: workflowIdOf(app),
      inputs: { ...turn.inputs, ...(turn.query && { 'sys.query': turn.query }) },
      created_at: run.createdAt,
      reason: 'initial',
    });
  }

  of(
    step: StepOf<
      | 'text'
      | 'replace'
      | 'messageEvent'
      | 'thought'
      | 'flowEvent'
      | 'nodeStarted'
      | 'nodeRetried'
      | 'nodeFinished'
    >,
  ): object {
    switch (step.type) {
      case 'text':
        return this.#text(step);
      case 'replace':
        return this.#replace(step.text);
      case 'messageEvent':
        return this.#message(step.event, { id: this.#job.message?.id, ...step.fields });
      case 'thought':
        return this.#thought(step.thought);
      case 'flowEvent':
        return this.#flow(step.event, step.data);
      case 'nodeStarted':
        return this.#flow('node_started', this.#nodes.started(step.node));
      case 'nodeRetried': {
        const ended = this.#nodes.ended(step.node, 'retry', {}, step.error);
        return this.#flow('node_retry', { ...ended, retry_index: 1 });
      }
      case 'nodeFinished': {
        const { run } = this.#job;
        if (run) {
          run.steps += 1;
          run.tokens += step.node.tokens ?? 0;
          run.seconds += step.node.seconds ?? 0.1;
        }
        const status = step.error === undefined ? 'succeeded' : 'failed';
        return this.#flow('node_finished', this.#nodes.ended(step.node, status, step.outputs, step.error));
      }
    }
  }

  keep(step: StepOf<'outputs' | 'sources' | 'files'>): void {
    const { message, run } = this.#job;
    if (step.type === 'outputs' && run) run.outputs = step.outputs;
    if (step.type === 'sources' && message) message.sources = step.sources;
    if (step.type === 'files') this.#files = step.files;
  }

  error({ code, status, message: reason }: StepOf<'fail'>): object {
    const { message } = this.#job;
    if (message) message.error = reason;
    return {
      event: 'error',
      ...(message?.conversation && { conversation_id: message.conversation.id }),
      ...(message && { message_id: message.id, created_at: message.createdAt }),
      code,
      status,
      message: reason,
    };
  }

  /** The end of a flow that failed. From 1.13 on the `error` event may not come. */
  failed(error: string): object[] {
    const { context, message } = this.#job;
    const finished = this.#finished('failed', error);
    if (message) message.error = error;
    if (context.version.isAtLeast('1.13')) return [finished];
    return [
      finished,
      this.error({ type: 'fail', code: 'completion_request_error', status: 400, message: error }),
    ];
  }

  paused(
    form: Pick<PendingForm, 'title' | 'content' | 'inputs' | 'expiresAt'>,
    token: string | null,
  ): { required: object; paused: object } {
    const { run } = this.#job;
    if (!run) throw new Error('Only a flow can pause.');
    run.status = 'paused';
    const { required, paused } = humanInput(run, form, token);
    const events = {
      required: this.#flow('human_input_required', required),
      paused: this.#flow('workflow_paused', paused),
    };
    run.waiting = [events.required, events.paused];
    return events;
  }

  filled(title: string, action: string): object {
    return this.#flow('human_input_form_filled', {
      node_id: 'approval',
      node_title: title,
      action_id: action,
    });
  }

  /** The events that end an answer, in the order of the version. */
  ends(status: 'succeeded' | 'stopped'): object[] {
    const { app, context, run } = this.#job;
    const finished = run ? [this.#finished(status, status === 'stopped' ? 'Stopped by user.' : null)] : [];
    if (app.mode === 'workflow') return finished;
    const ended = this.#message('message_end', {
      id: this.#job.message?.id ?? '',
      metadata: this.metadata(),
      files: this.#files,
    });
    return context.version.isAtLeast('1.13.1') ? [ended, ...finished] : [...finished, ended];
  }

  metadata(): object {
    const { message, turn, annotation } = this.#job;
    // From the source: chatflows leave it out of the end of a message.
    const reply = annotation && { id: annotation.id, account: { id: 'sandbox', name: 'Dify user' } };
    return {
      ...(!(annotation && this.#isFlow) && { annotation_reply: reply ?? null }),
      retriever_resources: message?.sources ?? [],
      usage: usageOf(turn, message?.answer ?? ''),
    };
  }

  #text({ text, event }: StepOf<'text'>): object {
    const { app, message } = this.#job;
    if (!message) return this.#flow('text_chunk', { text, from_variable_selector: ['writer', 'text'] });
    message.answer += text;
    if (app.mode === 'agent-chat' && !event) {
      return this.#message('agent_message', { id: message.id, answer: text });
    }
    const selector = this.#isFlow ? ['answer', 'answer'] : null;
    return this.#message(event ?? 'message', {
      id: message.id,
      answer: text,
      from_variable_selector: selector,
    });
  }

  #replace(text: string): object {
    const { message } = this.#job;
    if (!message) return this.#flow('text_replace', { text });
    message.answer = text;
    return this.#message('message_replace', { answer: text, reason: 'output_moderation' });
  }

  #thought(spec: ThoughtSpec): object {
    const { message } = this.#job;
    const id = this.#thoughts.get(spec.id) ?? randomUUID();
    this.#thoughts.set(spec.id, id);
    const {
      position,
      thought,
      tool = '',
      toolLabel,
      toolInput = '',
      observation = '',
      messageFiles = [],
    } = spec;
    const tool_labels = toolLabel ? { [tool]: { en_US: toolLabel, zh_Hans: toolLabel } } : {};
    const fields = { id, position, thought, observation, tool, tool_labels, tool_input: toolInput };
    if (message) {
      const stored = { ...fields, message_id: message.id, chain_id: null, files: messageFiles };
      message.thoughts = [...message.thoughts.filter((one) => one['id'] !== id), stored];
    }
    return this.#message('agent_thought', { ...fields, message_files: messageFiles });
  }

  #finished(status: 'succeeded' | 'failed' | 'stopped', error: string | null): object {
    const { run, app, context, message, turn } = this.#job;
    if (!run) throw new Error('Only a flow can finish.');
    run.status = status;
    run.error = error;
    run.finishedAt = context.store.seconds();
    if (message && status === 'succeeded') run.outputs = { answer: message.answer };
    return this.#flow('workflow_finished', {
      id: run.id,
      workflow_id: workflowIdOf(app),
      status,
      outputs: run.outputs,
      error,
      elapsed_time: run.seconds,
      total_tokens: run.tokens,
      total_steps: run.steps,
      created_by: { id: run.id, user: turn.user },
      created_at: run.createdAt,
      finished_at: run.finishedAt,
      exceptions_count: 0,
      files: this.#files,
    });
  }

  #message(event: string, fields: object): object {
    const { live, message } = this.#job;
    if (!message) return this.#flow(event, fields);
    return {
      event,
      ...(message.conversation && { conversation_id: message.conversation.id }),
      message_id: message.id,
      created_at: message.createdAt,
      task_id: live.taskId,
      ...fields,
    };
  }

  #flow(event: string, data: object): object {
    const { live, message, run } = this.#job;
    return {
      event,
      ...(message?.conversation && { conversation_id: message.conversation.id }),
      ...(message && { message_id: message.id, created_at: message.createdAt }),
      task_id: live.taskId,
      ...(run && { workflow_run_id: run.id }),
      data,
    };
  }
}
