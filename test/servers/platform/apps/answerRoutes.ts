import * as z from 'zod/mini';
import type { Reply } from '../../http/reply.ts';
import { invalidParam, notFound, PlatformRefusal, refusal } from '../platformErrors.ts';
import { success } from '../platformRoute.ts';
import { readJsonBody } from '../validation.ts';
import { answerSchemas, type SentInput, uuidPattern } from './answerSchemas.ts';
import type { AppContext } from './appContext.ts';
import type { AppFile } from './appRecords.ts';
import {
  type AppCall,
  type AppRoute,
  appRoute,
  appUnavailable,
  chatModes,
  requireMode,
  userOf,
} from './appRoute.ts';
import { conversationName } from './conversationName.ts';
import { fileFinder } from './findFile.ts';
import { checkInputs, isObject } from './inputForm.ts';
import { performAnswer } from './performAnswer.ts';
import { workflowIdOf } from './workflowId.ts';

export function answerRoutes(context: AppContext): AppRoute[] {
  const { store, version } = context;
  const schemas = answerSchemas(context.dialect);

  return [
    { method: 'POST', path: '/v1/chat-messages', answer: chat },
    { method: 'POST', path: '/v1/completion-messages', answer: complete },
    { method: 'POST', path: '/v1/workflows/run', answer: (call) => runWorkflow(call, undefined) },
    appRoute('POST /v1/workflows/:word/run since 1.8', (call) => runWorkflow(call, call.ids[0])),
    appRoute('POST /v1/chat-messages/:word/stop', (call) =>
      stop(call, () => requireMode(call, chatModes, 'not_chat_app')),
    ),
    appRoute('POST /v1/completion-messages/:word/stop', (call) =>
      stop(call, () => requireMode(call, ['completion'], 'app_unavailable')),
    ),
    appRoute('POST /v1/workflows/tasks/:word/stop', (call) =>
      stop(call, () => requireMode(call, ['workflow'], 'not_workflow_app')),
    ),
  ];

  async function chat(call: AppCall): Promise<Reply | void> {
    const { app, request } = call;
    const user = senderOf(call);
    requireMode(call, chatModes, 'not_chat_app');
    const body = readJsonBody(request, version, 'ChatRequestPayload', schemas.chat);
    if (app.mode === 'agent-chat' && body.response_mode !== 'streaming') {
      throw invalidParam('Agent Chat App does not support blocking mode');
    }
    refuse(call);
    if (body.query === '') throw invalidParam('query is required');
    if (app.mode === 'advanced-chat' && body.workflow_id) checkWorkflowId(call, body.workflow_id);
    return performAnswer(context, call, user, body.response_mode === 'streaming', () => {
      const known = body.conversation_id?.trim();
      const isNamed = body.auto_generate_name !== false;
      const conversation = known ? store.conversation(app, user, known) : undefined;
      const inputs = inputsOf(call, user, body);
      const files = filesOf(call, user, body);
      return {
        query: body.query,
        inputs,
        files,
        conversation:
          conversation ??
          store.addConversation(
            app,
            user,
            isNamed ? conversationName(body.query) : 'New conversation',
            inputs,
          ),
      };
    });
  }

  async function complete(call: AppCall): Promise<Reply | void> {
    const { request } = call;
    const user = senderOf(call);
    requireMode(call, ['completion'], 'app_unavailable');
    const body = readJsonBody(request, version, 'CompletionRequestPayload', schemas.completion);
    refuse(call);
    return performAnswer(context, call, user, body.response_mode === 'streaming', () => ({
      query: body.query ?? '',
      inputs: inputsOf(call, user, body),
      files: filesOf(call, user, body),
      conversation: undefined,
    }));
  }

  async function runWorkflow(call: AppCall, workflowId: string | undefined): Promise<Reply | void> {
    const { request } = call;
    const user = senderOf(call);
    requireMode(call, ['workflow'], 'not_workflow_app');
    const body = readJsonBody(request, version, 'WorkflowRunPayload', schemas.workflow);
    if (workflowId !== undefined) checkWorkflowId(call, workflowId);
    refuse(call);
    return performAnswer(context, call, user, body.response_mode === 'streaming', () => ({
      query: '',
      inputs: inputsOf(call, user, body),
      files: filesOf(call, user, body),
      conversation: undefined,
    }));
  }

  /** The user is resolved before the body is checked. */
  function senderOf(call: AppCall): string {
    readJsonBody(call.request, version, 'Payload', z.looseObject({}));
    return userOf(call, 'json', 'required');
  }

  function refuse({ app }: AppCall): void {
    if (app.isBroken) throw appUnavailable();
    const reply = app.refuse?.(context.countAttempt(app));
    if (reply) throw new PlatformRefusal(reply);
  }

  function checkWorkflowId({ app }: AppCall, id: string): void {
    if (!uuidPattern.test(id)) throw refusal(400, 'bad_request', `Invalid workflow_id format: '${id}'. `);
    if (id !== workflowIdOf(app)) throw notFound(`Workflow not found with id: ${id}`);
  }

  function inputsOf({ app }: AppCall, user: string, { inputs }: SentInput): Record<string, unknown> {
    return checkInputs(app.form ?? [], inputs, fileFinder(store, app, user));
  }

  /** Files are dropped where nothing may be attached. */
  function filesOf({ app }: AppCall, user: string, { files }: SentInput): AppFile[] {
    if (!app.files || !files) return [];
    const findFile = fileFinder(store, app, user);
    return files.filter(isObject).map((mapping) => findFile(mapping));
  }

  function stop(call: AppCall, checkMode: () => void): Reply {
    const { app, ids } = call;
    const user = senderOf(call);
    checkMode();
    const taskId = ids[0] ?? '';
    const task = [...context.running].find(
      (one) => one.app === app && one.user === user && one.live.taskId === taskId,
    );
    context.stops.push({ app: app.key, taskId, user, hit: task !== undefined });
    task?.live.stop();
    // Succeeds even if there was nothing to stop.
    return success;
  }
}
