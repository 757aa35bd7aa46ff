import { platformError } from '../../platformErrors.ts';
import { node, type NodeSpec, text } from '../appStep.ts';
import type { AppMode, ScriptedApp } from '../scriptedApp.ts';
import { reply } from './echo.ts';

/** Chat apps with one fault each; otherwise they echo. */
export const faultApps = {
  unavailable: fault('unavailable', 'App without configuration', 'Nobody has set this app up.', {
    isBroken: true,
  }),
  // Recorded; versions before 1.14 say `provider_not_initialize`.
  noProvider: refusing('noprovider', 'App without model provider', 'invalid_param', [
    'Provider openai does not exist.',
  ]),
  noQuota: refusing('noquota', 'App without quota', 'provider_quota_exceeded', [
    'Your quota for the hosted model provider has been exhausted. Please go to Settings -> Model Provider to complete your own provider credentials.',
  ]),
  noModel: refusing('nomodel', 'App whose model is not allowed', 'model_currently_not_support', [
    'The hosted trial currently does not support this model.',
  ]),
  // Measured on 1.16.1; `/parameters` says `app_unavailable`.
  unpublished: {
    ...refusing('unpublished', 'Workflow that was never published', 'invalid_param', [
      'Workflow not published',
    ]),
    mode: 'workflow',
  },
  // Measured on 1.16.1, for everything that needs a model.
  noPluginDaemon: fault('noplugindaemon', 'App without its plugin service', 'An error in the stream.', {
    *answer() {
      yield {
        type: 'fail',
        code: 'invalid_param',
        status: 400,
        message: 'Request to Plugin Daemon Service failed-500',
      };
    },
  }),
  ended: refusing('ended', 'App whose conversation is closed', 'conversation_completed', [
    'The conversation has ended. Please start a new conversation.',
  ]),
  modelError: fault('modelerror', 'App whose model fails', 'The model fails after a few words.', {
    *answer() {
      yield text('I was about to ');
      yield {
        type: 'fail',
        code: 'completion_request_error',
        status: 400,
        message: '[openai] Rate Limit Error, the model is overloaded.',
      };
    },
  }),
  silent: fault('silent', 'App that falls silent', 'A keep-alive, and nothing more ever.', {
    *answer() {
      yield { type: 'ping' };
      yield { type: 'stall' };
    },
  }),
  silentAmid: fault(
    'silentamid',
    'App that falls silent in mid-answer',
    'A few words, and nothing more ever.',
    {
      *answer() {
        yield text('This is the beginning of ');
        yield { type: 'stall' };
      },
    },
  ),
  silentFlow: fault('silentflow', 'Guide that falls silent', 'A chatflow whose second node never ends.', {
    mode: 'advanced-chat',
    *answer() {
      yield* node({ id: 'start', type: 'start', title: 'Start' });
      yield { type: 'nodeStarted', node: { id: 'writer', type: 'llm', title: 'Write the answer' } };
      yield { type: 'stall' };
    },
  }),
  cut: fault('cut', 'App that is cut off', 'The connection breaks in mid-answer.', {
    *answer() {
      yield text('This is the beginning of ');
      yield { type: 'destroy' };
    },
  }),
  noEnd: fault(
    'noend',
    'App that never says it has ended',
    'The stream ends without an event that says so.',
    {
      *answer(turn) {
        yield text(reply('App that never says it has ended', turn));
        yield { type: 'hangUp' };
      },
    },
  ),
  noEndWorkflow: fault(
    'noendworkflow',
    'Workflow that never says it has ended',
    'The same, for a workflow.',
    {
      mode: 'workflow',
      *answer() {
        const start: NodeSpec = { id: 'start', type: 'start', title: 'Start' };
        yield* node(start);
        yield { type: 'hangUp' };
      },
    },
  ),
  busy: busyOnce('busy', 'App with too many visitors', 400, 'invalid_param'),
  tooMany: busyOnce('toomany', 'App with too many requests', 429, 'too_many_requests'),
  busyWorkflow: fault('busyworkflow', 'Workflow with too many runs', 'Refuses its first twelve calls.', {
    mode: 'workflow',
    refuse: (attempt) =>
      attempt <= 12 ? platformError(400, 'invalid_param', 'Too many requests') : undefined,
  }),
  rateLimited: fault('ratelimited', 'App of a plan that is used up', 'A 429, every time.', {
    refuse: () => platformError(429, 'rate_limit_error', 'Rate limit exceeded. Please upgrade your plan.'),
  }),
} as const satisfies Record<string, ScriptedApp>;

interface FaultSpec extends Partial<ScriptedApp> {
  mode?: AppMode;
}

function fault(key: string, name: string, describe: string, spec: FaultSpec): ScriptedApp {
  return {
    mode: 'chat',
    key: `app-sandbox${key}`,
    name,
    describe,
    *answer(turn) {
      yield text(reply(name, turn));
    },
    ...spec,
  };
}

function refusing(key: string, name: string, code: string, [message = '']: readonly string[]): ScriptedApp {
  return fault(key, name, `A 400 with ${code}.`, { refuse: () => platformError(400, code, message) });
}

/** Refuses the first call: the app is at its limit of concurrent runs. */
function busyOnce(key: string, name: string, status: number, code: string): ScriptedApp {
  const message =
    'Too many requests. Please try again later. The current maximum concurrent requests allowed for this app is 1.';
  return fault(key, name, `A ${status} with "Too many requests"; the next call is answered.`, {
    refuse: (attempt) => (attempt % 2 === 1 ? platformError(status, code, message) : undefined),
  });
}
