import * as z from 'zod/mini';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { asObject, asText, type JsonObject } from '../../base/json.ts';
import { type Caller, createCaller, type Read, route } from '../../platform/platformCall.ts';
import type { UploadFile } from '../../platform/documents/multipart.ts';
import { testAppKey } from '../../platform/testConnection.ts';
import { eachPage, pageOf } from '../../platform/platformWire.ts';
import {
  type AppEvent,
  type AppParameters,
  type AppRun,
  type AppSite,
  type AppVariable,
  colorPattern,
  type FileReference,
  type Rating,
} from '../app.ts';
import { speak, transcribe } from './appAudio.ts';
import { withMaskedError } from './appFailures.ts';
import { defaultMaxBytes, toWireFile } from './appFiles.ts';
import { readConversation, readFeedback, readMessage, readVariable } from './appHistory.ts';
import { downloadPicture } from './appPicture.ts';
import { readRun, text, textsIn, toMs } from './appWire.ts';
import type { AppContext, AppTask } from './appRequest.ts';
import { createAskApp } from './askApp.ts';
import { readHumanInputForm } from './readHumanInput.ts';
import { readInfo } from './readInfo.ts';
import { readParameters } from './readParameters.ts';
import { uploadAppFile } from './uploadAppFile.ts';

export type ToolIcon = string | { content: string; background: string };

export interface RunRequest {
  /** In the wire's form; files in them by `toWireFile`. */
  inputs: Readonly<Record<string, unknown>>;
  files?: readonly FileReference[];
  stream: boolean;
}

export interface ChatRequest extends RunRequest {
  query: string;
  conversationId?: string;
  isFlow?: boolean;
}

export type AppClient = ReturnType<typeof createAppClient>;

const siteSchema = z.object({
  title: text,
  icon_type: text,
  icon: text,
  icon_background: text,
  icon_url: text,
  description: text,
  default_language: text,
  copyright: text,
  privacy_policy: text,
  custom_disclaimer: text,
});

const emoji = /^\p{RGI_Emoji}$/v;

/** Every method throws a `SwitchboardError`. Nothing is sent a second time once an event arrived. */
export function createAppClient(context: AppContext) {
  const caller = createCaller(context, 'app');
  return {
    ...descriptionCalls(context, caller),
    ...runCalls(context, caller),
    ...conversationCalls(context, caller),
    ...messageCalls(context, caller),
  };
}

type Query = Record<string, string | number | undefined>;

function get<T>(caller: Caller, path: string, query: Query, read: Read<T>, signal: AbortSignal): Promise<T> {
  return caller.ask({ method: 'GET', path, query, isRead: true }, read, signal);
}

function getNewer<T>(
  caller: Caller,
  path: string,
  query: Query,
  read: Read<T>,
  signal: AbortSignal,
): Promise<T> {
  return caller.ask({ method: 'GET', path, query, isRead: true, isNewerRoute: true }, read, signal);
}

function descriptionCalls(context: AppContext, caller: Caller) {
  const { user } = context;
  let maxBytes = defaultMaxBytes;
  return {
    /** Like `info`; the error for a refused key says so if the key opens knowledge bases. */
    testConnection: (signal: AbortSignal) => testAppKey(context, readInfo, signal),
    info: (signal: AbortSignal) => get(caller, '/info', {}, readInfo, signal),
    async parameters(signal: AbortSignal): Promise<AppParameters> {
      const read = (json: unknown) => {
        const body = asObject(json);
        return body && readParameters(body);
      };
      const parameters = await get(caller, '/parameters', { user }, read, signal);
      ({ maxBytes } = parameters.files);
      return parameters;
    },
    site: (signal: AbortSignal) => getNewer(caller, '/site', {}, readSite, signal),
    picture: (address: string, signal: AbortSignal) => downloadPicture(context, address, signal),
    meta: (signal: AbortSignal) => get(caller, '/meta', { user }, readMeta, signal),
    upload: (file: UploadFile, signal: AbortSignal) => uploadAppFile(caller, user, file, maxBytes, signal),
  };
}

/** Aborting or leaving one of the streams early stops the run on the server once its task is known. */
function runCalls(context: AppContext, caller: Caller) {
  const { user, log, connection } = context;
  const masked = (run: AppRun): AppRun => withMaskedError(run, connection.key);
  const ask = createAskApp(context);

  const run = (
    task: AppTask,
    path: string,
    { inputs, files, stream }: RunRequest,
    more: JsonObject = {},
    announcesStart = task === 'workflow',
  ) => ({
    task,
    announcesStart,
    path,
    stream,
    json: { ...more, inputs, ...(files && files.length > 0 && { files: files.map(toWireFile) }) },
  });

  return {
    chat: ({ query, conversationId, isFlow, ...request }: ChatRequest, signal: AbortSignal) => {
      const more = { query, ...(conversationId && { conversation_id: conversationId }) };
      return ask(run('chat', '/chat-messages', request, more, isFlow === true), signal);
    },
    complete: (request: RunRequest, signal: AbortSignal) =>
      ask(run('completion', '/completion-messages', request), signal),
    /** The published version unless `workflowId` names another; runs report theirs, but no call lists them. */
    runWorkflow: (
      { workflowId, ...request }: RunRequest & { workflowId?: string },
      signal: AbortSignal,
    ): AsyncIterable<AppEvent> =>
      workflowId === undefined
        ? ask(run('workflow', '/workflows/run', request), signal)
        : ask(
            { ...run('workflow', route`/workflows/${workflowId}/run`, request), isNewerRoute: true },
            signal,
          ),
    workflowRun: async (runId: string, signal: AbortSignal) =>
      masked(await get(caller, route`/workflows/run/${runId}`, {}, readWholeRun, signal)),
    followRun: (runId: string, signal: AbortSignal, task: 'chat' | 'workflow' = 'workflow') =>
      ask({ task, json: {}, stream: true, isResumed: true, path: route`/workflow/${runId}/events` }, signal),
    humanInputForm: (token: string, signal: AbortSignal) =>
      getNewer(caller, route`/form/human_input/${token}`, {}, readHumanInputForm, signal),
    /** Resumes the run by one of the form's actions; `inputs` has one value per field. A form is submitted only once. */
    submitHumanInput: (
      token: string,
      { action, inputs }: { action: string; inputs: Readonly<Record<string, unknown>> },
      signal: AbortSignal,
    ) =>
      caller.send(
        {
          method: 'POST',
          path: route`/form/human_input/${token}`,
          json: { inputs, action, user },
          isNewerRoute: true,
        },
        signal,
      ),
    async workflowLogs(page: number, signal: AbortSignal) {
      const read = pageOf(readLogged, log);
      const { items, hasMore } = await getNewer(caller, '/workflows/logs', { page, limit: 20 }, read, signal);
      return { runs: items.map(masked), hasMore };
    },
  };
}

function conversationCalls({ user, log }: AppContext, caller: Caller) {
  return {
    /** Newest first; `after` is the last id of the page before. */
    async conversations(after: string | undefined, signal: AbortSignal) {
      const query = { user, last_id: after, limit: 50 };
      const read = pageOf(readConversation, log);
      const { items, hasMore } = await get(caller, '/conversations', query, read, signal);
      return { conversations: items, hasMore: hasMore && items.length > 0 };
    },
    renameConversation: (id: string, name: string | undefined, signal: AbortSignal) =>
      caller.ask(
        {
          method: 'POST',
          path: route`/conversations/${id}/name`,
          json: { ...(name ? { name } : { auto_generate: true }), user },
        },
        readConversation,
        signal,
      ),
    deleteConversation: (id: string, signal: AbortSignal) =>
      caller.send({ method: 'DELETE', path: route`/conversations/${id}`, json: { user } }, signal),
    async variables(conversationId: string, signal: AbortSignal): Promise<AppVariable[]> {
      const path = route`/conversations/${conversationId}/variables`;
      const variables: AppVariable[] = [];
      const pages = eachPage(({ limit }) => {
        const query = { user, last_id: variables.at(-1)?.id, limit };
        return getNewer(caller, path, query, pageOf(readVariable, log), signal);
      });
      for await (const found of pages) variables.push(...found);
      return variables;
    },
    setVariable: (conversationId: string, variableId: string, value: unknown, signal: AbortSignal) =>
      caller.send(
        {
          method: 'PUT',
          path: route`/conversations/${conversationId}/variables/${variableId}`,
          json: { value, user },
          isNewerRoute: true,
        },
        signal,
      ),
  };
}

function messageCalls({ user, log, connection }: AppContext, caller: Caller) {
  return {
    /** One page, oldest first; `before` is the first id of the page that was read. */
    async messages(conversationId: string, before: string | undefined, signal: AbortSignal) {
      const query = { conversation_id: conversationId, user, first_id: before, limit: 20 };
      const read = pageOf((item) => readMessage(item, connection.baseUrl), log);
      const { items, hasMore } = await get(caller, '/messages', query, read, signal);
      const messages = items.map((message) => withMaskedError(message, connection.key));
      return { messages, hasMore: hasMore && items.length > 0 };
    },
    async suggestedQuestions(messageId: string, signal: AbortSignal): Promise<string[]> {
      const read = (json: unknown) => {
        const body = asObject(json);
        return body && textsIn(body['data']);
      };
      try {
        return await get(caller, route`/messages/${messageId}/suggested`, { user }, read, signal);
      } catch (error) {
        if (isSwitchedOff(error)) return [];
        throw error;
      }
    },
    rate: (messageId: string, rating: Rating | undefined, content: string | undefined, signal: AbortSignal) =>
      caller.send(
        {
          method: 'POST',
          path: route`/messages/${messageId}/feedbacks`,
          json: { rating: rating ?? null, content, user },
        },
        signal,
      ),
    /** Answers further questions like this one by `answer`, if the app has annotation replies on. */
    annotate: (question: string, answer: string, signal: AbortSignal) =>
      caller.send(
        { method: 'POST', path: '/apps/annotations', json: { question, answer }, isNewerRoute: true },
        signal,
      ),
    async feedbacks(page: number, signal: AbortSignal) {
      const read = pageOf(readFeedback, log);
      return (await getNewer(caller, '/app/feedbacks', { page, limit: 20 }, read, signal)).items;
    },
    transcribe: (file: UploadFile, signal: AbortSignal) => transcribe(caller, user, file, signal),
    speak: (messageId: string, signal: AbortSignal) => speak(caller, user, messageId, signal),
  };
}

function readMeta(json: unknown): Record<string, ToolIcon> | undefined {
  const body = asObject(json);
  if (!body) return undefined;
  return Object.fromEntries(
    Object.entries(asObject(body['tool_icons']) ?? {}).flatMap(([tool, icon]): [string, ToolIcon][] => {
      const { content, background } = asObject(icon) ?? {};
      if (typeof icon === 'string') return [[tool, icon]];
      return typeof content === 'string' ? [[tool, { content, background: asText(background) ?? '' }]] : [];
    }),
  );
}

function readWholeRun(json: unknown): AppRun | undefined {
  const body = asObject(json);
  if (!body || body['status'] === undefined) return undefined;
  return readRun(body);
}

function readLogged(json: unknown): AppRun | undefined {
  const entry = asObject(json);
  const run = readWholeRun(entry?.['workflow_run']);
  const createdAt = entry?.['created_at'];
  return (
    run && {
      ...run,
      createdAtMs: run.createdAtMs ?? toMs(typeof createdAt === 'number' ? createdAt : undefined),
    }
  );
}

function isSwitchedOff(error: unknown): boolean {
  return error instanceof SwitchboardError && error.status === 400 && /disabled/i.test(error.why ?? '');
}

/** `GET /site`, since 1.4; undefined if it is none. Source: docs/platform-api.md 3. */
export function readSite(json: unknown): AppSite | undefined {
  const body = asObject(json);
  if (!body || !('title' in body)) return undefined;
  const wire = siteSchema.parse(body);
  const isEmoji = wire.icon_type !== 'image' && wire.icon !== undefined && emoji.test(wire.icon);
  return {
    title: wire.title ?? '',
    description: wire.description ?? '',
    ...(isEmoji && { icon: wire.icon }),
    ...(isEmoji && colorPattern.test(wire.icon_background ?? '') && { iconBackground: wire.icon_background }),
    ...(wire.icon_type === 'image' &&
      wire.icon !== undefined &&
      wire.icon_url !== undefined && { picture: { id: wire.icon, address: wire.icon_url } }),
    ...(wire.default_language !== undefined && { language: wire.default_language }),
    ...(wire.copyright !== undefined && { copyright: wire.copyright }),
    ...(wire.privacy_policy !== undefined && { privacyPolicy: wire.privacy_policy }),
    ...(wire.custom_disclaimer !== undefined && { disclaimer: wire.custom_disclaimer }),
  };
}
