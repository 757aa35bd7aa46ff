import { randomUUID } from 'node:crypto';
import type { Reply } from '../../http/reply.ts';
import { PlatformRefusal } from '../platformErrors.ts';
import type { AppContext, RunningTask } from './appContext.ts';
import type { AppFile, StoredConversation, StoredMessage, StoredRun, VariableValue } from './appRecords.ts';
import type { AppCall } from './appRoute.ts';
import { LiveRun } from './liveRun.ts';
import { type AppJob, type AppOutcome, runScript } from './runScript.ts';
import { wholeAnswer } from './wholeAnswer.ts';

interface Question {
  query: string;
  inputs: Readonly<Record<string, unknown>>;
  files: readonly AppFile[];
  /** Undefined for completions and workflows. */
  conversation: StoredConversation | undefined;
}

/**
 * From 1.13 on, a flow's stream begins before `prepare` checks the request: a refusal is then lost, except
 * that of a form's value from 1.16 on, which fails the run.
 */
export async function performAnswer(
  context: AppContext,
  call: AppCall,
  user: string,
  isStreamed: boolean,
  prepare: () => Question,
): Promise<Reply | void> {
  const { app, exchange } = call;
  const isFlow = app.mode === 'advanced-chat' || app.mode === 'workflow';
  let question: Question;
  try {
    question = prepare();
  } catch (error) {
    const isUnheard = isStreamed && isFlow && context.version.isAtLeast('1.13');
    if (!(error instanceof PlatformRefusal) || !isUnheard) throw error;
    const silent = new LiveRun();
    silent.ping();
    const { message } = error.reply.body as { message?: string };
    // Recorded with a workflow on 1.16.1.
    if (context.version.isAtLeast('1.16') && message?.includes(' in input form')) {
      silent.event(refusedRun(message, context.store.seconds()));
      silent.close('ended');
    }
    return silent.send(exchange, 0, context.pingMs);
  }
  const job = createJob(context, call, user, question, isFlow);
  const outcome = run(job, user);
  if (isStreamed) return job.live.send(exchange, 0, context.pingMs);
  return wholeAnswer(job, await outcome, exchange);
}

function refusedRun(error: string, seconds: number): object {
  const id = randomUUID();
  const counts = { elapsed_time: 0, total_tokens: 0, total_steps: 0, exceptions_count: 1 };
  const times = { created_at: seconds, finished_at: seconds };
  const data = { id, workflow_id: randomUUID(), status: 'failed', outputs: null, error, ...counts, ...times };
  return { event: 'workflow_finished', task_id: id, workflow_run_id: id, data };
}

function createJob(
  context: AppContext,
  { app, request }: AppCall,
  user: string,
  { query, inputs, files, conversation }: Question,
  isFlow: boolean,
): AppJob {
  const { store } = context;
  const live = new LiveRun();
  const history = (conversation?.messages ?? []).map((one) => ({ query: one.query, answer: one.answer }));
  const common = { app: app.key, user, inputs, createdAt: store.seconds() };
  let message: StoredMessage | undefined;
  if (app.mode !== 'workflow') {
    message = { ...common, id: randomUUID(), conversation, query, files, ...emptyAnswer() };
    store.messages.push(message);
    if (conversation) {
      conversation.messages.push(message);
      store.touch(conversation);
    }
  }
  let flowRun: StoredRun | undefined;
  if (isFlow) {
    flowRun = { ...common, id: randomUUID(), live, message, ...freshRun() };
    store.runs.push(flowRun);
  }
  const variables = new Map(conversation?.variables.map(({ name, value }) => [name, value]));
  const origin = `http://${request.headers.host ?? 'sandbox'}`;
  const turn = { query, inputs, files, history, user, variables, origin };
  const annotation = message && store.annotationFor(app, query);
  if (annotation) annotation.hits++;
  return { context, app, turn, live, message, annotation, run: flowRun };
}

function emptyAnswer() {
  return { answer: '', thoughts: [], sources: [], feedback: undefined, error: undefined };
}

function freshRun() {
  const counts = { steps: 0, tokens: 0, seconds: 0, past: [], waiting: [] };
  return { status: 'running' as const, finishedAt: undefined, outputs: {}, error: null, ...counts };
}

async function run(job: AppJob, user: string): Promise<AppOutcome> {
  const { context, app, live, message, turn } = job;
  const task: RunningTask = { app, user, live };
  context.running.add(task);
  try {
    const outcome = await runScript(job);
    if (message?.conversation) keepVariables(message.conversation, turn.variables, context.store.seconds());
    return outcome;
  } catch (error) {
    if (!context.closing.aborted) console.error('The sandbox failed in the middle of an answer:', error);
    live.close('cut');
    return { type: 'broken' };
  } finally {
    context.running.delete(task);
  }
}

function keepVariables(
  conversation: StoredConversation,
  values: ReadonlyMap<string, VariableValue>,
  seconds: number,
): void {
  for (const variable of conversation.variables) {
    const value = values.get(variable.name);
    if (value === undefined || value === variable.value) continue;
    variable.value = value;
    variable.updatedAt = seconds;
  }
}
