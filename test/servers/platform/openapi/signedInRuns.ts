import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Reply } from '../../http/reply.ts';
import { noSuchForm, openForm } from './openForm.ts';
import { PlatformRefusal, refusal } from '../platformErrors.ts';
import { ok, success } from '../platformRoute.ts';
import { uuidPattern } from '../apps/answerSchemas.ts';
import type { AppContext } from '../apps/appContext.ts';
import type { AppFile } from '../apps/appRecords.ts';
import { appUnavailable, chatModes } from '../apps/appRoute.ts';
import { conversationName } from '../apps/conversationName.ts';
import { receiveFile } from '../apps/fileRoutes.ts';
import { fileFinder } from '../apps/findFile.ts';
import { followRun } from '../apps/formRoutes.ts';
import { checkInputs, isObject } from '../apps/inputForm.ts';
import { LiveRun } from '../apps/liveRun.ts';
import { performAnswer } from '../apps/performAnswer.ts';
import type { ScriptedApp } from '../apps/scriptedApp.ts';
import { workflowIdOf } from '../apps/workflowId.ts';
import { flowModes } from './dslDocument.ts';
import type { FlowApp } from './flowApps.ts';
import {
  type OpenapiCall,
  type OpenapiContext,
  type OpenapiRoute,
  openapiRoute,
  readBody,
  serverError,
  unprocessable,
} from './openapiRoute.ts';
import { poorEvent, signedInUser } from './poorEvent.ts';

const runBody = z.looseObject({
  inputs: z.record(z.string(), z.unknown()),
  query: z.nullish(z.string()),
  files: z.nullish(z.array(z.record(z.string(), z.unknown()))),
  conversation_id: z.nullish(
    z.string().check(
      z.refine((id) => id === '' || uuidPattern.test(id), {
        message: 'conversation_id must be a valid UUID',
      }),
    ),
  ),
  auto_generate_name: z.nullish(z.boolean()),
  workflow_id: z.nullish(z.string()),
});
type RunBody = z.infer<typeof runBody>;

/** Modes that stand in the paths of runs since 1.18; read from the platform's source, not recorded. */
const runModes = ['workflow', 'chat', 'advanced-chat', 'completion'];

/**
 * Runs of the account's apps, files and forms. Conversations and files are the account's own (recorded).
 *
 * @param namesMode since 1.18
 */
export function signedInRuns({ flows }: OpenapiContext, namesMode: boolean): OpenapiRoute[] {
  const context: AppContext = { ...flows.context, shape: poorEvent };
  const { store } = context;
  return [
    ...(namesMode
      ? runModes.map((mode) =>
          openapiRoute(`POST /apps/:word/${mode}:run`, (call) => {
            if (flows.usable(call.ids[0]).mode !== mode) throw refusal(404, 'not_found', 'App not found.');
            return run(call);
          }),
        )
      : [openapiRoute('POST /apps/:word:run', run)]),
    openapiRoute('POST /apps/:word/files', (call) => {
      const file = receiveFile(context, callOf(call), signedInUser);
      return { status: 201, body: { ...file, reference: null } };
    }),
    openapiRoute('POST /apps/:word/tasks/:word:stop', (call) => {
      const { app } = flows.usable(call.ids[0]);
      const taskId = call.ids[1] ?? '';
      const task = [...context.running].find((one) => one.app === app && one.live.taskId === taskId);
      context.stops.push({ app: app?.key ?? '', taskId, user: signedInUser, hit: task !== undefined });
      task?.live.stop();
      return success;
    }),
    openapiRoute('GET /apps/:word/tasks/:word/events', (call) => {
      const { mode } = flows.usable(call.ids[0]);
      if (!flowModes.has(mode)) throw unprocessable('mode_not_supported_for_event_reconnect');
      return followRun(context, { ...callOf(call), ids: call.ids.slice(1) }, signedInUser);
    }),
    openapiRoute('GET /apps/:word/human-input-forms/:word', (call) => {
      const form = openForm(context, callOf(call).app, call.ids[1]);
      return ok(form.view);
    }),
    openapiRoute('POST /apps/:word/human-input-forms/:word:submit', (call) => {
      const { inputs, action } = isObject(call.request.json) ? call.request.json : {};
      const form = openForm(context, callOf(call).app, call.ids[1]);
      if (!isObject(inputs) || typeof action !== 'string') throw noSuchForm();
      form.submit(action, inputs);
      return ok({});
    }),
  ];

  function callOf(call: OpenapiCall): { app: ScriptedApp } & OpenapiCall {
    const { app } = flows.usable(call.ids[0]);
    if (!app) throw serverError();
    return { ...call, app };
  }

  async function run(call: OpenapiCall): Promise<Reply | void> {
    const entry = flows.usable(call.ids[0]);
    const body = readBody(call, runBody);
    checkMode(entry, body);
    const { app } = entry;
    // Unpublished: without a reason (recorded).
    if (!app) throw serverError();
    if (body.workflow_id) checkVersion(entry, body.workflow_id);
    if (app.isBroken) throw appUnavailable();
    const refused = app.refuse?.(context.countAttempt(app));
    if (refused) throw new PlatformRefusal(refused);
    const known = body.conversation_id?.trim();
    const conversation = known ? store.conversation(app, signedInUser, known) : undefined;
    const checked = checkSent(app, body);
    if (checked instanceof PlatformRefusal) {
      if (!flowModes.has(app.mode)) throw serverError();
      return sendFailure(context, call, app, body, checked);
    }
    const isChat = chatModes.includes(app.mode);
    const { query } = body;
    return performAnswer(context, { ...call, app }, signedInUser, true, () => ({
      ...{ query: query ?? '', ...checked },
      conversation: isChat
        ? (conversation ??
          store.addConversation(app, signedInUser, conversationName(query ?? ''), checked.inputs))
        : undefined,
    }));
  }

  function checkSent(app: ScriptedApp, { inputs, files }: RunBody) {
    const findFile = fileFinder(store, app, signedInUser);
    try {
      const attached: AppFile[] = app.files ? (files ?? []).map((mapping) => findFile(mapping)) : [];
      return { inputs: checkInputs(app.form ?? [], inputs, findFile), files: attached };
    } catch (error) {
      if (error instanceof PlatformRefusal) return error;
      throw error;
    }
  }
}

function checkMode({ mode }: FlowApp, { query }: RunBody): void {
  if (mode === 'agent') throw unprocessable('mode_not_runnable');
  if (chatModes.includes(mode) && !query) throw unprocessable('query_required_for_chat');
  if (mode === 'workflow' && query) throw unprocessable('query_not_supported_for_workflow');
}

function checkVersion({ published, draftId }: FlowApp, id: string): void {
  if (!uuidPattern.test(id)) throw refusal(400, 'bad_request', `Invalid workflow_id format: '${id}'. `);
  // The text is from the platform's source, shortened there.
  if (id === draftId) throw refusal(400, 'bad_request', 'Cannot use draft workflow version.');
  if (!published.has(id)) throw refusal(404, 'not_found', `Workflow not found with id: ${id}`);
}

/** A flow whose inputs are wrong starts and fails (recorded of a workflow; assumed of a chatflow). */
function sendFailure(
  { pingMs, store }: AppContext,
  { exchange }: OpenapiCall,
  app: ScriptedApp,
  { inputs }: RunBody,
  { reply }: PlatformRefusal,
): Promise<void> {
  const id = randomUUID();
  const live = new LiveRun();
  const base = { task_id: id, workflow_run_id: id };
  const common = { id, workflow_id: workflowIdOf(app), created_at: store.seconds() };
  live.ping();
  live.event({ event: 'workflow_started', ...base, data: { ...common, inputs, reason: 'initial' } });
  live.event({
    ...{ event: 'workflow_finished', ...base },
    data: {
      ...{ ...common, status: 'failed', outputs: null, elapsed_time: 0, total_tokens: 0, total_steps: 0 },
      error: isObject(reply.body) ? String(reply.body['message']) : '',
      ...{ created_by: {}, finished_at: store.seconds(), exceptions_count: 1, files: [] },
    },
  });
  live.close('ended');
  return live.send(exchange, 0, pingMs);
}
