import { SwitchboardError } from '../../base/errors.ts';
import { asObject, asText, type JsonObject } from '../../base/json.ts';
import { createCaller } from '../../platform/platformCall.ts';
import type { UploadFile } from '../../platform/platformClient.ts';
import { route } from '../../platform/route.ts';
import { testAppKey } from '../../platform/testConnection.ts';
import { maxPageSize, pageOf } from '../../platform/wire.ts';
import type {
  AppConversation,
  AppEvent,
  AppInfo,
  AppMessage,
  AppParameters,
  AppRun,
  AppSite,
  AppVariable,
  FileReference,
  HumanInputForm,
  Rating,
} from '../app.ts';
import { speak, type SpokenAnswer, transcribe } from './appAudio.ts';
import { withMaskedError } from './appFailures.ts';
import { defaultMaxBytes, toWireFile } from './appFiles.ts';
import { type AppFeedback, readConversation, readFeedback, readMessage, readVariable } from './appHistory.ts';
import { type AppPicture, downloadPicture } from './appPicture.ts';
import { readRun, textsIn, toMs } from './appWire.ts';
import { type AppContext, type AppTask, createAskApp } from './askApp.ts';
import { readHumanInputForm } from './readHumanInput.ts';
import { readInfo } from './readInfo.ts';
import { readParameters } from './readParameters.ts';
import { readSite } from './readSite.ts';
import { uploadAppFile } from './uploadAppFile.ts';

/**
 * One app of the platform, known by its own key. Every method throws a `SwitchboardError`; what a server's version
 * lacks throws one that `isMissingOnServer` recognises. Answers are read as they come; nothing is sent a second time
 * once an event arrived. Holds nothing open.
 */
export interface AppClient {
  /** As `info`, but a refused key is said to open knowledge bases where it does. */
  testConnection(signal: AbortSignal): Promise<AppInfo>;
  info(signal: AbortSignal): Promise<AppInfo>;
  parameters(signal: AbortSignal): Promise<AppParameters>;
  /** Throws where the server's version has no such call. */
  site(signal: AbortSignal): Promise<AppSite>;
  /** The picture of the app, at the address that its site names; undefined for what is not to be shown. */
  picture(address: string, signal: AbortSignal): Promise<AppPicture | undefined>;
  /** Icons of tools by name: an address, or an emoji with its background. */
  meta(signal: AbortSignal): Promise<Readonly<Record<string, ToolIcon>>>;

  /**
   * E2. Chat apps, agents and chatflows. Here and in the other streams, aborting or leaving early also stops the run
   * on the server as soon as its task is known.
   */
  chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<AppEvent>;
  complete(request: RunRequest, signal: AbortSignal): AsyncIterable<AppEvent>;
  /** The published version, or the one that is named: runs tell theirs, and nothing lists them. */
  runWorkflow(request: RunRequest & { workflowId?: string }, signal: AbortSignal): AsyncIterable<AppEvent>;
  workflowRun(runId: string, signal: AbortSignal): Promise<AppRun>;
  /**
   * The events of a run that was begun before: those so far, and those that come. Leaving early stops the run.
   * @param task what the run is of
   */
  followRun(runId: string, signal: AbortSignal, task?: 'chat' | 'workflow'): AsyncIterable<AppEvent>;
  /** The form that a run waits for. */
  humanInputForm(token: string, signal: AbortSignal): Promise<HumanInputForm>;
  /** Has the run go on by one of the form's actions; `inputs` are one for each field. For good: a form is submitted once. */
  submitHumanInput(
    token: string,
    answer: { action: string; inputs: Readonly<Record<string, unknown>> },
    signal: AbortSignal,
  ): Promise<void>;
  workflowLogs(page: number, signal: AbortSignal): Promise<{ runs: AppRun[]; hasMore: boolean }>;

  /** Resolves with the id that messages and forms name the file by. */
  upload(file: UploadFile, signal: AbortSignal): Promise<string>;

  /** What is said in a recording; only where the app `transcribes`. */
  transcribe(file: UploadFile, signal: AbortSignal): Promise<string>;
  /** An answer as it is read out; only where the app `speaks`. */
  speak(messageId: string, signal: AbortSignal): Promise<SpokenAnswer>;

  /** Newest first; `after` is the last id of the page before. */
  conversations(
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<{ conversations: AppConversation[]; hasMore: boolean }>;
  /** Without a name the platform makes one up. */
  renameConversation(id: string, name: string | undefined, signal: AbortSignal): Promise<AppConversation>;
  deleteConversation(id: string, signal: AbortSignal): Promise<void>;
  variables(conversationId: string, signal: AbortSignal): Promise<AppVariable[]>;
  setVariable(conversationId: string, variableId: string, value: unknown, signal: AbortSignal): Promise<void>;
  /** One page, oldest first; `before` is the first id of the page that was read. */
  messages(
    conversationId: string,
    before: string | undefined,
    signal: AbortSignal,
  ): Promise<{ messages: AppMessage[]; hasMore: boolean }>;
  /** Empty where the app has that switched off. */
  suggestedQuestions(messageId: string, signal: AbortSignal): Promise<string[]>;
  /** Undefined takes the rating back. */
  rate(
    messageId: string,
    rating: Rating | undefined,
    content: string | undefined,
    signal: AbortSignal,
  ): Promise<void>;
  feedbacks(page: number, signal: AbortSignal): Promise<AppFeedback[]>;
}

export type ToolIcon = string | { content: string; background: string };

export interface RunRequest {
  /** As they are sent; files in them by `toWireFile`. */
  inputs: Readonly<Record<string, unknown>>;
  files?: readonly FileReference[];
  /** Not streamed: the spec's `sync`. */
  stream: boolean;
}

export interface ChatRequest extends RunRequest {
  query: string;
  /** Goes on with a conversation; absent begins one. */
  conversationId?: string;
  /** A chatflow: its run announces its start, so that a missing start means something. */
  isFlow?: boolean;
}

export function createAppClient(context: AppContext): AppClient {
  const { user, log, connection } = context;
  const caller = createCaller(context, 'app');
  const masked = <T extends { error?: string }>(record: T): T => withMaskedError(record, connection.key);
  const ask = createAskApp(context);
  let maxBytes = defaultMaxBytes;

  const get = <T>(
    path: string,
    query: Record<string, string | number | undefined>,
    read: (json: unknown) => T | undefined,
    signal: AbortSignal,
    isNewerRoute = false,
  ): Promise<T> => caller.ask({ method: 'GET', path, query, isRead: true, isNewerRoute }, read, signal);

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
    testConnection: (signal) => testAppKey(context, readInfo, signal),
    info: (signal) => get('/info', {}, readInfo, signal),
    async parameters(signal) {
      const read = (json: unknown) => {
        const body = asObject(json);
        return body && readParameters(body);
      };
      const parameters = await get('/parameters', { user }, read, signal);
      ({ maxBytes } = parameters.files);
      return parameters;
    },
    site: (signal) => get('/site', {}, readSite, signal, true),
    picture: (address, signal) => downloadPicture(context, address, signal),
    meta: (signal) => get('/meta', { user }, readMeta, signal),

    chat: ({ query, conversationId, isFlow, ...request }, signal) => {
      const more = { query, ...(conversationId && { conversation_id: conversationId }) };
      return ask(run('chat', '/chat-messages', request, more, isFlow === true), signal);
    },
    complete: (request, signal) => ask(run('completion', '/completion-messages', request), signal),
    runWorkflow: ({ workflowId, ...request }, signal) =>
      workflowId === undefined
        ? ask(run('workflow', '/workflows/run', request), signal)
        : ask(
            { ...run('workflow', route`/workflows/${workflowId}/run`, request), isNewerRoute: true },
            signal,
          ),
    workflowRun: async (runId, signal) =>
      masked(await get(route`/workflows/run/${runId}`, {}, readWholeRun, signal)),
    followRun: (runId, signal, task = 'workflow') =>
      ask(
        {
          ...{ task, json: {}, stream: true, isResumed: true },
          path: route`/workflow/${runId}/events`,
        },
        signal,
      ),
    humanInputForm: (token, signal) =>
      get(route`/form/human_input/${token}`, {}, readHumanInputForm, signal, true),
    submitHumanInput: (token, { action, inputs }, signal) =>
      caller.send(
        {
          method: 'POST',
          path: route`/form/human_input/${token}`,
          json: { inputs, action, user },
          isNewerRoute: true,
        },
        signal,
      ),
    async workflowLogs(page, signal) {
      const read = pageOf(readLogged, log);
      const { items, hasMore } = await get('/workflows/logs', { page, limit: 20 }, read, signal, true);
      return { runs: items.map(masked), hasMore };
    },

    upload: (file, signal) => uploadAppFile(caller, user, file, maxBytes, signal),

    transcribe: (file, signal) => transcribe(caller, user, file, signal),
    speak: (messageId, signal) => speak(caller, user, messageId, signal),

    async conversations(after, signal) {
      const query = { user, last_id: after, limit: 50 };
      const { items, hasMore } = await get('/conversations', query, pageOf(readConversation, log), signal);
      return { conversations: items, hasMore: hasMore && items.length > 0 };
    },
    renameConversation: (id, name, signal) =>
      caller.ask(
        {
          method: 'POST',
          path: route`/conversations/${id}/name`,
          json: { ...(name ? { name } : { auto_generate: true }), user },
        },
        readConversation,
        signal,
      ),
    deleteConversation: (id, signal) =>
      caller.send({ method: 'DELETE', path: route`/conversations/${id}`, json: { user } }, signal),
    async variables(conversationId, signal) {
      const path = route`/conversations/${conversationId}/variables`;
      const variables = new Map<string, AppVariable>();
      for (let after: string | undefined; ;) {
        const query = { user, last_id: after, limit: maxPageSize };
        const { items, hasMore } = await get(path, query, pageOf(readVariable, log), signal, true);
        const known = variables.size;
        for (const variable of items) variables.set(variable.id, variable);
        after = items.at(-1)?.id;
        // Some servers answer every page with the first.
        if (!hasMore || variables.size === known) return [...variables.values()];
      }
    },
    setVariable: (conversationId, variableId, value, signal) =>
      caller.send(
        {
          method: 'PUT',
          path: route`/conversations/${conversationId}/variables/${variableId}`,
          json: { value, user },
          isNewerRoute: true,
        },
        signal,
      ),
    async messages(conversationId, before, signal) {
      const query = { conversation_id: conversationId, user, first_id: before, limit: 20 };
      const read = pageOf((item) => readMessage(item, connection.baseUrl), log);
      const { items, hasMore } = await get('/messages', query, read, signal);
      return { messages: items.map(masked), hasMore: hasMore && items.length > 0 };
    },
    async suggestedQuestions(messageId, signal) {
      const read = (json: unknown) => {
        const body = asObject(json);
        return body && textsIn(body['data']);
      };
      try {
        return await get(route`/messages/${messageId}/suggested`, { user }, read, signal);
      } catch (error) {
        if (isSwitchedOff(error)) return [];
        throw error;
      }
    },
    rate: (messageId, rating, content, signal) =>
      caller.send(
        {
          method: 'POST',
          path: route`/messages/${messageId}/feedbacks`,
          json: { rating: rating ?? null, content, user },
        },
        signal,
      ),
    async feedbacks(page, signal) {
      const read = pageOf(readFeedback, log);
      return (await get('/app/feedbacks', { page, limit: 20 }, read, signal, true)).items;
    },
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

/** An entry of the log: the run, with when the entry was made. */
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

/** The app does not suggest questions after an answer. */
function isSwitchedOff(error: unknown): boolean {
  return error instanceof SwitchboardError && error.status === 400 && /disabled/i.test(error.why ?? '');
}
