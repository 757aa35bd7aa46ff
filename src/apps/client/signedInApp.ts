import * as l10n from '@vscode/l10n';
import { rejudge, SwitchboardError } from '../../base/errors/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { createAccountCaller, type SignedInContext } from '../../platform/openapi/accountCaller.ts';
import { createOpenapiClient } from '../../platform/openapi/openapiClient.ts';
import type { UploadFile } from '../../platform/documents/multipart.ts';
import { isMissingOnServer, missingOnServer } from '../../platform/platformErrors.ts';
import { route } from '../../platform/platformCall.ts';
import type { AppEvent, AppInfo, AppParameters } from '../app.ts';
import type { AppClient, ChatRequest, RunRequest } from './appClient.ts';
import { defaultMaxBytes, toWireFile } from './appFiles.ts';
import { createAskApp } from './askApp.ts';
import type { AppContext, AppTask } from './appRequest.ts';
import { readHumanInputForm } from './readHumanInput.ts';
import { readInfo } from './readInfo.ts';
import { readParameters } from './readParameters.ts';
import { uploadAppFile } from './uploadAppFile.ts';

/** Names of modes in the paths of runs since 1.18. Read from the platform's source, not recorded. */
type RunMode = 'workflow' | 'chat' | 'advanced-chat' | 'completion';

interface SignedInRun {
  task: AppTask;
  json: JsonObject;
  announcesStart: boolean;
}

/**
 * An app of the account, whose conversations and files those of an app key are not. What has no route throws an error
 * that `isMissingOnServer` recognises: history, ratings, audio, variables and past runs.
 */
export function createSignedInApp(
  context: SignedInContext & Pick<AppContext, 'stall'>,
  appId: string,
): AppClient {
  const caller = createAccountCaller(context);
  const account = createOpenapiClient(context);
  const appContext: AppContext = {
    ...context,
    get timeouts() {
      return context.timeouts;
    },
    ...{ appId, user: '' },
  };
  const ask = createAskApp(appContext, createAccountCaller);
  let maxBytes = defaultMaxBytes;

  const info = async (signal: AbortSignal): Promise<AppInfo> =>
    readInfo((await account.describe(appId, signal)).app) ?? missing();
  const run = createRun(appId, ask);
  return {
    testConnection: info,
    info,
    async parameters(signal): Promise<AppParameters> {
      const { parameters } = await account.describe(appId, signal);
      const read = readParameters({ ...parameters });
      ({ maxBytes } = read.files);
      // No route suggests questions, speaks, listens or keeps annotations.
      const { transcribes: _heard, speaks: _spoken, repliesByAnnotation: _kept, ...rest } = read;
      return { ...rest, suggestsAfterAnswer: false };
    },
    upload: (file: UploadFile, signal) =>
      uploadAppFile(caller, undefined, file, maxBytes, signal, route`/apps/${appId}/files`),
    chat: ({ query, conversationId, isFlow, ...request }: ChatRequest, signal) =>
      run(
        isFlow ? 'advanced-chat' : 'chat',
        {
          task: 'chat',
          json: { query, ...(conversationId && { conversation_id: conversationId }), ...sent(request) },
          announcesStart: isFlow === true,
        },
        signal,
      ),
    complete: (request, signal) =>
      run('completion', { task: 'completion', json: sent(request), announcesStart: false }, signal),
    runWorkflow: ({ workflowId, ...request }, signal): AsyncIterable<AppEvent> =>
      run(
        'workflow',
        {
          task: 'workflow',
          json: { ...sent(request), ...(workflowId !== undefined && { workflow_id: workflowId }) },
          announcesStart: true,
        },
        signal,
      ),
    followRun: (runId, signal, task: AppTask | undefined) => {
      const path = route`/apps/${appId}/tasks/${runId}/events`;
      return ask({ task: task ?? 'workflow', json: {}, stream: true, isResumed: true, path }, signal);
    },
    humanInputForm: (token, signal) =>
      caller.ask(
        { method: 'GET', path: route`/apps/${appId}/human-input-forms/${token}`, isRead: true },
        readHumanInputForm,
        signal,
      ),
    submitHumanInput: (token, { action, inputs }, signal) => {
      const path = route`/apps/${appId}/human-input-forms/${token}:submit`;
      return caller.send({ method: 'POST', path, json: { inputs, action } }, signal);
    },
    ...withoutRoute,
    suggestedQuestions: () => Promise.resolve([]),
  };
}

/** Servers have one of two routes; the older one is tried first. */
function createRun(appId: string, ask: ReturnType<typeof createAskApp>) {
  const runAt = async function* (path: string, { task, ...request }: SignedInRun, signal: AbortSignal) {
    const call = { task, path, ...request, stream: true, isNewerRoute: true };
    for await (const event of ask(call, signal)) {
      yield event.type === 'started' ? withoutMessage(event) : event;
    }
  };
  let namesMode = false;
  return async function* run(mode: RunMode, request: SignedInRun, signal: AbortSignal) {
    const newer = route`/apps/${appId}/${mode}:run`;
    try {
      if (namesMode) return yield* runAt(newer, request, signal);
      try {
        yield* runAt(route`/apps/${appId}:run`, request, signal);
      } catch (error) {
        if (!isWithoutRoute(error)) throw error;
        yield* orElse(runAt(newer, request, signal), error);
        namesMode = true;
      }
    } catch (error) {
      throw explained(error);
    }
  };
}

function sent({ inputs, files }: RunRequest): JsonObject {
  return { inputs, ...(files && files.length > 0 && { files: files.map(toWireFile) }) };
}

/** Without a message's id an answer can't be rated, for which there is no route. */
function withoutMessage({ messageId: _none, ...event }: Extract<AppEvent, { type: 'started' }>): AppEvent {
  return event;
}

const withoutRoute = {
  site: missing,
  picture: missing,
  meta: missing,
  workflowRun: missing,
  workflowLogs: missing,
  conversations: missing,
  renameConversation: missing,
  deleteConversation: missing,
  variables: missing,
  setVariable: missing,
  messages: missing,
  rate: missing,
  feedbacks: missing,
  transcribe: missing,
  speak: missing,
  annotate: missing,
};

function missing(): Promise<never> {
  return Promise.reject(missingOnServer());
}

/** A run that the server refused by a 500, which has no reason. Its known causes are recorded on 1.16.1. */
function explained(error: unknown): unknown {
  if (!(error instanceof SwitchboardError) || error.status !== 500) return error;
  return rejudge(
    error,
    'app-unavailable',
    l10n.t(
      'The platform could not run the app and gave no reason. The app may be unpublished, lack a required input, or use a model that is not available. Check it on the platform.',
    ),
  );
}

/** A 404 may also be an app that is gone. */
function isWithoutRoute(error: unknown): boolean {
  return isMissingOnServer(error) || (error instanceof SwitchboardError && error.status === 404);
}

/** Throws `first` if there is no such route either. */
async function* orElse<T>(events: AsyncIterable<T>, first: unknown): AsyncGenerator<T> {
  try {
    yield* events;
  } catch (error) {
    throw isMissingOnServer(error) ? first : error;
  }
}
