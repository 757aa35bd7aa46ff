import { notFound } from '../platformErrors.ts';
import { ok } from '../platformRoute.ts';
import type { AppContext } from './appContext.ts';
import type { StoredRun } from './appRecords.ts';
import { type AppRoute, appRoute, requireMode } from './appRoute.ts';
import { fileToWire } from './fileToWire.ts';
import { limitOf } from './pageAfter.ts';
import type { ScriptedApp } from './scriptedApp.ts';
import { runRecord } from './wholeAnswer.ts';
import { workflowIdOf } from './workflowId.ts';

export function runRoutes({ store, version }: AppContext): AppRoute[] {
  return [
    appRoute('GET /v1/workflows/run/:word', (call) => {
      requireMode(call, ['workflow', 'advanced-chat'], 'not_workflow_app');
      return ok(toWire(runOf(call.app, call.ids[0]), call.app));
    }),
    appRoute('GET /v1/workflows/logs', (call) => {
      requireMode(call, ['workflow'], 'not_workflow_app');
      const { query } = call.request;
      const page = Number(query.get('page') ?? 1);
      const limit = limitOf(query.get('limit'));
      const runs = store.runs.filter((run) => run.app === call.app.key && fits(run, query)).toReversed();
      const data = runs.slice((page - 1) * limit, page * limit).map((run) => ({
        id: run.id,
        workflow_run: {
          ...toWire(run, call.app),
          version: '2026-08-01 10:00:00',
          triggered_from: 'app-run',
        },
        details: null,
        created_from: 'service-api',
        created_by_role: 'end_user',
        created_by_account: null,
        created_by_end_user: {
          id: run.user,
          type: 'service_api',
          is_anonymous: false,
          session_id: run.user,
        },
        created_at: run.createdAt,
      }));
      return ok({ page, limit, total: runs.length, has_more: runs.length > page * limit, data });
    }),
  ];

  function runOf(app: ScriptedApp, id: string | undefined): StoredRun {
    const run = store.runs.find((one) => one.app === app.key && one.id === id);
    if (!run) throw notFound('Workflow run not found');
    return run;
  }

  /** Versions before 1.11 return inputs and outputs as JSON text; inputs stay so in all. */
  function toWire(run: StoredRun, app: ScriptedApp): object {
    const inputs = Object.fromEntries(
      Object.entries(run.inputs).map(([name, value]) => [name, fileToWire(value)]),
    );
    const { outputs, ...rest } = runRecord(run);
    return {
      ...rest,
      workflow_id: workflowIdOf(app),
      inputs: JSON.stringify(inputs),
      outputs: version.isAtLeast('1.11') ? outputs : JSON.stringify(outputs),
    };
  }
}

function fits(run: StoredRun, query: URLSearchParams): boolean {
  const status = query.get('status');
  const keyword = query.get('keyword');
  const before = Date.parse(query.get('created_at__before') ?? '');
  const after = Date.parse(query.get('created_at__after') ?? '');
  const said = `${JSON.stringify(run.inputs)} ${JSON.stringify(run.outputs)}`;
  return (
    (!status || run.status === status) &&
    (!keyword || said.includes(keyword)) &&
    !(run.createdAt * 1000 > before) &&
    !(run.createdAt * 1000 < after)
  );
}
