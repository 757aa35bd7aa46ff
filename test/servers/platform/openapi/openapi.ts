import type { Route } from '../../http/httpServer.ts';
import { htmlPage, sendReply } from '../../http/reply.ts';
import type { AppContext } from '../apps/appContext.ts';
import { type FlowApp, FlowApps } from './flowApps.ts';
import { serverVersion } from '../serverVersion.ts';
import { catalogOf } from './catalog.ts';
import { newerRoutes } from './newerRoutes.ts';
import type { OpenapiOptions } from './openapiOptions.ts';
import { type OpenapiContext, toOpenapiRoute, unknownOpenapiPath } from './openapiRoute.ts';
import { signedInApps } from './signedInApps.ts';
import { signedInRuns } from './signedInRuns.ts';
import { signInRoutes } from './signInRoutes.ts';
import { type Session, SignIns } from './signIns.ts';
import { readDsl, writeDsl } from './dslDocument.ts';

export interface OpenapiConsole {
  readonly sessions: readonly Session[];
  readonly apps: readonly FlowApp[];
  /** Notes of publishing calls (1.18). */
  readonly notes: readonly string[];
  signIn(label?: string): Session;
  /** Types the code, the newest by default, and agrees; false if no device waits with it. */
  approve(userCode?: string): boolean;
  deny(userCode?: string): boolean;
  /** The app's draft with its secrets. */
  draftOf(appId: string): string;
  edit(appId: string, yaml: string): void;
  /** Publishes the draft; returns the version's id. */
  publish(appId: string): string;
  switchServiceApi(appId: string, isOn: boolean): void;
  addFlow(yaml: string, isPublished?: boolean): FlowApp;
}

export interface Openapi {
  readonly console: OpenapiConsole;
  readonly routes: readonly Route[];
}

/** The user-level API under `/openapi/v1`, as recorded on 1.16.1. */
export function createOpenapi(
  options: OpenapiOptions,
  { apps, version, now }: { apps: AppContext; version: string; now: () => number },
): Openapi {
  const signIns = new SignIns(
    {
      pollSeconds: options.pollSeconds ?? 5,
      codeSeconds: options.codeSeconds ?? 900,
      sessionDays: options.sessionDays ?? 14,
      requestsPerMinute: options.requestsPerMinute ?? 60,
    },
    now,
  );
  const flows = new FlowApps(apps, version, options.workspaces ?? [{ name: 'Harbour office' }], now);
  for (const { yaml, isPublished } of options.flows ?? []) flows.addFlow(yaml, isPublished);
  const isNewer = serverVersion(version).isAtLeast('1.18');
  const context: OpenapiContext = {
    signIns,
    flows,
    hasBearer: options.bearer ?? true,
    plugins: options.plugins,
  };
  const routes = [
    ...(isNewer ? newerRoutes(context, () => context.catalog!) : []),
    ...signInRoutes(context),
    ...signedInApps(context),
    ...signedInRuns(context, isNewer),
  ];
  if (isNewer) context.catalog = catalogOf(routes);
  const known = routes.map((route) => toOpenapiRoute(context, route));
  const resolve = (userCode: string | undefined, state: 'approved' | 'denied'): boolean => {
    const code = userCode === undefined ? signIns.newest : signIns.find(userCode);
    if (code?.state === 'pending') code.state = state;
    return code?.state === state;
  };
  return {
    routes: [...known, unknownOpenapiPath(known), devicePage((code) => resolve(code, 'approved'))],
    console: {
      sessions: signIns.sessions,
      apps: flows.all,
      notes: flows.notes,
      signIn: (label = 'test') => signIns.open('difyctl', label),
      approve: (code) => resolve(code, 'approved'),
      deny: (code) => resolve(code, 'denied'),
      draftOf: (id) => writeDsl(flows.app(id).draft, true),
      edit(id, yaml) {
        const read = readDsl(yaml);
        if ('error' in read) throw new Error(read.error);
        flows.overwrite(flows.app(id), read.document);
      },
      publish: (id) => flows.publish(flows.app(id)),
      switchServiceApi: (id, isOn) => void (flows.app(id).hasServiceApi = isOn),
      addFlow: (yaml, isPublished) => flows.addFlow(yaml, isPublished),
    },
  };
}

/** The page for typing the code; on the real server a page of the console, behind its sign-in. */
function devicePage(approve: (userCode: string) => boolean): Route {
  return {
    method: '*',
    path: '/device',
    handle(exchange) {
      const code = exchange.request.query.get('code')?.trim().toUpperCase();
      const said = code === undefined ? '' : approve(code) ? 'You are signed in.' : 'The code is unknown.';
      const form = '<form><label>Code <input name="code" autofocus></label><button>Sign in</button></form>';
      sendReply(exchange, htmlPage(200, 'Sign in to the sandbox', `<p>${said}</p>${form}`));
    },
  };
}
