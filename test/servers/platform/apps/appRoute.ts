import type { Exchange, Route } from '../../http/httpServer.ts';
import type { RecordedRequest } from '../../http/recordedRequest.ts';
import { htmlPage, type Reply, sendReply } from '../../http/reply.ts';
import { checkKey, invalidKey } from '../platformAuth.ts';
import { invalidParam, PlatformRefusal, refusal } from '../platformErrors.ts';
import { pathPattern, readEndpoint } from '../platformRoute.ts';
import type { AppContext } from './appContext.ts';
import { isObject } from './inputForm.ts';
import type { AppMode, ScriptedApp } from './scriptedApp.ts';

export interface AppCall {
  readonly exchange: Exchange;
  readonly request: RecordedRequest;
  readonly app: ScriptedApp;
  /** Values of `:uuid` or `:word` in the path. */
  readonly ids: readonly string[];
}

export interface AppRoute {
  readonly method: ReturnType<typeof readEndpoint>['method'];
  readonly path: string;
  /** The first version that has it. */
  readonly since?: string;
  /** Returns the whole answer, or sends it itself. May throw a PlatformRefusal. */
  answer(call: AppCall): Reply | void | Promise<Reply | void>;
}

export function appRoute(endpoint: string, answer: AppRoute['answer']): AppRoute {
  return { ...readEndpoint(endpoint), answer };
}

/** The user of calls that may omit it. */
const defaultUser = 'DEFAULT-USER';

export function toRoute(context: AppContext, { method, path, answer }: AppRoute): Route & { path: RegExp } {
  return {
    method,
    path: pathPattern(path),
    async handle(exchange) {
      const { request, params: ids } = exchange;
      if (exchange.bodyTooLarge) return sendReply(exchange, htmlPage(413));
      const { authorization } = request.headers;
      const app = context.apps.find((one) => authorization?.toLowerCase() === `bearer ${context.keyOf(one)}`);
      const refused = app ? undefined : checkKey(authorization, 'app');
      if (!app) return sendReply(exchange, refused ?? invalidKey());
      try {
        const reply = await answer({ exchange, request, app, ids });
        if (reply) sendReply(exchange, reply);
      } catch (error) {
        if (!(error instanceof PlatformRefusal)) throw error;
        sendReply(exchange, withHint(context, request, error.reply));
      }
    },
  };
}

/** From 1.8 on the framework adds similar paths to a 404. */
function withHint({ version }: AppContext, { path }: RecordedRequest, reply: Reply): Reply {
  if (reply.status !== 404 || !version.isAtLeast('1.8') || !isObject(reply.body)) return reply;
  const hint = `You have requested this URI [${path}] but did you mean /v1/messages or /v1/meta ?`;
  return { ...reply, body: { ...reply.body, message: `${String(reply.body['message'])} ${hint}` } };
}

export function userOf(
  { request }: AppCall,
  where: 'query' | 'json' | 'form',
  isRequired: 'required' | 'optional' = 'optional',
): string {
  const user = sentUser(request, where);
  if (user) return user;
  if (isRequired === 'required') throw invalidParam('Arg user must be provided.');
  return defaultUser;
}

function sentUser(request: RecordedRequest, where: 'query' | 'json' | 'form'): string {
  switch (where) {
    case 'query':
      return request.query.get('user') ?? '';
    case 'form':
      return (
        request.parts.find(({ name, filename }) => name === 'user' && filename === undefined)?.text ?? ''
      );
    case 'json': {
      const user = isObject(request.json) ? request.json['user'] : undefined;
      return typeof user === 'string' || typeof user === 'number' ? String(user) : '';
    }
  }
}

export const chatModes: readonly AppMode[] = ['chat', 'agent-chat', 'advanced-chat'];

const wrongModes = {
  not_chat_app: 'Please check if your app mode matches the right API route.',
  not_completion_app: 'Please check if your Completion app mode matches the right API route.',
  not_workflow_app: 'Please check if your app mode matches the right API route.',
  app_unavailable: 'App unavailable, please check your app configurations.',
} as const;

export function requireMode(
  { app }: AppCall,
  modes: readonly AppMode[],
  code: keyof typeof wrongModes,
): void {
  if (!modes.includes(app.mode)) throw refusal(400, code, wrongModes[code]);
}

export function appUnavailable(): PlatformRefusal {
  return refusal(400, 'app_unavailable', wrongModes.app_unavailable);
}
