import type { Route } from '../../http/httpServer.ts';
import type { PlatformDialect } from '../platformOptions.ts';
import type { ServerVersion } from '../serverVersion.ts';
import { answerRoutes } from './answerRoutes.ts';
import type { AppContext, StopCall } from './appContext.ts';
import { toRoute } from './appRoute.ts';
import type { AppsOptions } from './appsOptions.ts';
import { AppStore } from './appStore.ts';
import { conversationRoutes } from './conversationRoutes.ts';
import { describeRoutes } from './describeRoutes.ts';
import { formRoutes } from './formRoutes.ts';
import { fileRoutes } from './fileRoutes.ts';
import { generatedFileRoute, pictureRoute } from './generatedFiles.ts';
import { messageRoutes } from './messageRoutes.ts';
import { type RunHold, RunHolds } from './runHolds.ts';
import { runRoutes } from './runRoutes.ts';
import { type AppName, sandboxApps } from './sandboxApps.ts';
import type { AppMode, ScriptedApp } from './scriptedApp.ts';

export interface AppSummary {
  readonly name: string;
  readonly mode: AppMode;
  readonly key: string;
  readonly describe: string;
}

export type PlatformApps = Readonly<Record<AppName, AppSummary>> & {
  readonly all: readonly AppSummary[];
  /** Calls to stop an answer, oldest first. */
  readonly stops: readonly StopCall[];
  /** Number of answers being made, with or without a listener. */
  readonly running: number;
  expireForms(): void;
  /** Revokes the app's key and returns another. Data made with the first stays the app's. */
  replaceKey(app: AppName): string;
  /** Holds the app's next answer after this many events; 0, the default, is before the first. */
  hold(app: AppName | AppSummary, afterEvents?: number): RunHold;
};

export interface AppPlatform {
  readonly apps: PlatformApps;
  readonly context: AppContext;
  readonly routes: readonly (Route & { path: RegExp })[];
  /** Clears stop calls and the counts of attempts. */
  clear(): void;
  close(): void;
}

export interface AppPlatformOptions extends AppsOptions {
  version: ServerVersion;
  dialect: PlatformDialect;
  /** In ms since the epoch. */
  now: () => number;
}

export function createAppPlatform(options: AppPlatformOptions): AppPlatform {
  const { version } = options;
  const own = options.apps ?? [];
  const all: ScriptedApp[] = [...own, ...Object.values<ScriptedApp>(sandboxApps)];
  const attempts = new Map<ScriptedApp, number>();
  const replacedKeys = new Map<ScriptedApp, string>();
  const closing = new AbortController();
  const context: AppContext = {
    apps: all,
    keyOf: (app) => replacedKeys.get(app) ?? app.key,
    version,
    dialect: options.dialect,
    store: new AppStore(options.now),
    holds: new RunHolds(),
    forms: [],
    running: new Set(),
    stops: [],
    chunkDelayMs: options.chunkDelayMs ?? 0,
    pingMs: options.pingMs ?? 10_000,
    extras: options.streamExtras ?? [],
    limits: { image: 10, video: 100, audio: 50, document: 15, ...options.uploadLimits },
    closing: closing.signal,
    countAttempt(app) {
      const attempt = (attempts.get(app) ?? 0) + 1;
      attempts.set(app, attempt);
      return attempt;
    },
  };
  const routes = [
    ...describeRoutes(context),
    // Precedes the others, which would take `run` for a workflow's id.
    ...answerRoutes(context),
    ...conversationRoutes(context),
    ...messageRoutes(context),
    ...fileRoutes(context),
    ...runRoutes(context),
    ...formRoutes(context),
  ].filter(({ since }) => since === undefined || version.isAtLeast(since));

  const pictures = all.flatMap(({ icon }) =>
    typeof icon === 'object' ? [pictureRoute(icon.pictureId)] : [],
  );

  return {
    context,
    apps: {
      ...sandboxApps,
      all,
      stops: context.stops,
      get running() {
        return context.running.size;
      },
      expireForms() {
        for (const form of context.forms) form.state = 'expired';
      },
      replaceKey(name) {
        const app = sandboxApps[name];
        const key = `${context.keyOf(app)}-replaced`;
        replacedKeys.set(app, key);
        return key;
      },
      hold: (app, afterEvents = 0) =>
        context.holds.add(typeof app === 'string' ? sandboxApps[app].key : app.key, afterEvents),
    },
    routes: [...routes.map((route) => toRoute(context, route)), generatedFileRoute, ...pictures],
    clear() {
      context.stops.splice(0);
      attempts.clear();
    },
    close: () => closing.abort(),
  };
}
