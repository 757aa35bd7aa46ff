import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { asObject, asText, type JsonObject } from '../../base/json.ts';
import { sanitizeServerMessage } from '../../base/text/sanitizeServerMessage.ts';
import { type Caller, route } from '../../platform/platformCall.ts';
import type { AnswerIds } from './appAnswer.ts';
import { answerTruncated, failedRun, formChanged, runFormChanged } from './appFailures.ts';
import { objectsIn, readRun } from './appWire.ts';
import type { AppTask } from './appRequest.ts';
import { readParameters } from './readParameters.ts';
import { firstMissing } from './sentInputs.ts';

/** A run without events. Keep-alives prove nothing: the platform sends them whatever its worker does. */
export interface StalledRun {
  task: AppTask;
  json: JsonObject;
  user: string;
  ids: AnswerIds;
  hasBegun: boolean;
  address: string;
  key: string;
}

const limitMs = 10_000;

/** Resolves with the error that ended the run; undefined if it may just be slow. Source: docs/platform-api.md 4.4. */
export async function diagnoseStall(
  caller: Caller,
  run: StalledRun,
  signal: AbortSignal,
): Promise<SwitchboardError | undefined> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  for (const check of [checkForm, checkConversation, checkRun]) {
    try {
      const end = await check(caller, run, within);
      if (end) return end;
    } catch (error) {
      if (isProof(error)) return error;
      // A failed request proves nothing about the run.
    }
  }
  return undefined;
}

function isProof(error: unknown): error is SwitchboardError {
  return (
    error instanceof SwitchboardError &&
    (error.code === 'conversation-over' || error.code === 'inputs' || error.code === 'app-unavailable')
  );
}

/** Checks for fields the form gained since: a worker rejects such inputs silently. */
async function checkForm(caller: Caller, { task, json, user, hasBegun }: StalledRun, signal: AbortSignal) {
  if (hasBegun) return undefined;
  const read = (body: unknown) => {
    const wire = asObject(body);
    return wire && readParameters(wire);
  };
  const { form } = await caller.ask(
    { method: 'GET', path: '/parameters', query: { user }, isRead: true },
    read,
    signal,
  );
  const missing = firstMissing(form, asObject(json['inputs']) ?? {});
  return missing && (task === 'chat' ? formChanged(missing) : runFormChanged(missing));
}

async function checkConversation(
  caller: Caller,
  { json, ids, user, address, key }: StalledRun,
  signal: AbortSignal,
) {
  const conversationId = json['conversation_id'] ?? ids.conversationId;
  if (typeof conversationId !== 'string') return undefined;
  const messages = await caller.ask(
    {
      method: 'GET',
      path: '/messages',
      query: { conversation_id: conversationId, user, limit: 1 },
      isRead: true,
    },
    (body) => objectsIn(asObject(body)?.['data']),
    signal,
  );
  const error = asText(messages.find(({ id }) => id === ids.messageId)?.['error']);
  if (!error) return undefined;
  return new SwitchboardError('app-unavailable', l10n.t("The app couldn't answer this."), {
    why: sanitizeServerMessage(error, [key]),
    address,
  });
}

async function checkRun(caller: Caller, { ids, address, key }: StalledRun, signal: AbortSignal) {
  if (ids.runId === undefined) return undefined;
  const run = await caller.ask(
    { method: 'GET', path: route`/workflows/run/${ids.runId}`, isRead: true },
    (body) => {
      const wire = asObject(body);
      return wire && readRun(wire);
    },
    signal,
  );
  switch (run.status) {
    case 'failed':
      return failedRun(run, undefined, address, key);
    case 'succeeded':
    case 'partly-succeeded':
    case 'stopped':
      return answerTruncated(address, true);
    default:
      return undefined;
  }
}
