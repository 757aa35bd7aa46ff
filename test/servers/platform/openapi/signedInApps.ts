import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Reply } from '../../http/reply.ts';
import { refusal } from '../platformErrors.ts';
import { ok } from '../platformRoute.ts';
import { uuidPattern } from '../apps/answerSchemas.ts';
import { parametersOf } from '../apps/describeRoutes.ts';
import { flowModes, dslVersion, importStatus, readDsl, type AppDocument, writeDsl } from './dslDocument.ts';
import { draftChanged, draftHash } from './newerRoutes.ts';
import type { FlowApp, Workspace } from './flowApps.ts';
import {
  invalidField,
  type OpenapiCall,
  type OpenapiContext,
  type OpenapiRoute,
  openapiRoute,
  readBody,
  serverError,
  unprocessable,
} from './openapiRoute.ts';

const modes = ['completion', 'chat', 'advanced-chat', 'workflow', 'agent-chat'];
const importBody = z.strictObject({
  mode: z.optional(z.string()),
  yaml_content: z.nullish(z.string()),
  app_id: z.nullish(z.string()),
  draft_hash: z.optional(z.string()),
  ...{ name: z.nullish(z.string()), description: z.nullish(z.string()) },
  ...{
    icon: z.nullish(z.string()),
    icon_type: z.nullish(z.string()),
    icon_background: z.nullish(z.string()),
  },
});

/** A workspace's apps, and the export and import of their DSL. Recorded, except where noted. */
export function signedInApps(context: OpenapiContext): OpenapiRoute[] {
  const { flows, plugins } = context;
  return [
    openapiRoute('GET /apps', list),
    openapiRoute('GET /apps/:word', describe),
    openapiRoute('GET /apps/:word/dsl', exportDsl),
    openapiRoute('GET /apps/:word/dependencies:check', (call) => {
      return ok({ leaked_dependencies: flows.missing(flows.app(call.ids[0]), plugins) });
    }),
    openapiRoute('POST /workspaces/:word/apps/imports', importDsl),
    openapiRoute('POST /workspaces/:word/apps/imports/:word:confirm', confirm),
  ];

  /** A page is cut before hidden apps are removed, so it may be short. */
  function list({ request: { query } }: OpenapiCall): Reply {
    const mode = query.get('mode');
    if (mode !== null && !modes.includes(mode)) {
      const text = "Input should be 'completion', 'chat', 'advanced-chat', 'workflow' or 'agent-chat'";
      throw invalidField('enum', ['mode'], text);
    }
    const limit = Number(query.get('limit') ?? 20);
    if (limit > 200) {
      throw invalidField('less_than_equal', ['limit'], 'Input should be less than or equal to 200');
    }
    if (limit > 100) throw refusal(400, 'bad_request', tooLong(limit));
    const workspace = flows.workspace(query.get('workspace_id'));
    const name = query.get('name') ?? '';
    const page = Number(query.get('page') ?? 1);
    const fitting = flows.all
      .filter((app) => app.workspace === workspace && app.mode !== 'agent')
      .filter((app) => (mode === null || app.mode === mode) && app.draft.app.name.includes(name))
      .toSorted((a, b) => b.updatedAt - a.updatedAt);
    const data = fitting
      .slice((page - 1) * limit, page * limit)
      .filter(({ hasServiceApi }) => hasServiceApi)
      .map((app) => ({ ...infoOf(app), workspace_id: workspace.id, workspace_name: workspace.name }));
    return ok({ page, limit, total: fitting.length, has_more: fitting.length > page * limit, data });
  }

  function describe({ ids, request: { query } }: OpenapiCall): Reply {
    const app = flows.usable(ids[0]);
    const workspaceId = query.get('workspace_id');
    if (workspaceId !== null && workspaceId !== app.workspace.id) {
      throw unprocessable("workspace_id does not match app's workspace");
    }
    const fields = query.get('fields')?.split(',') ?? ['info', 'parameters', 'input_schema'];
    const unknown = fields.filter((field) => !['info', 'parameters', 'input_schema'].includes(field));
    if (unknown.length > 0) {
      throw invalidField(
        'value_error',
        ['fields'],
        `Value error, unknown field(s): ['${unknown.join("', '")}']`,
      );
    }
    const info = { ...infoOf(app), service_api_enabled: true, is_agent: app.mode === 'agent-chat' };
    const none = {
      ...{ opening_statement: null, suggested_questions: [], user_input_form: [], file_upload: null },
      system_parameters: {},
    };
    const parameters = app.app ? parametersOf(app.app, flows.context.limits) : none;
    // No client reads it: it drops checkboxes, defaults and more.
    const schema = { type: 'object', properties: {}, required: [] };
    return ok({
      info: fields.includes('info') ? info : null,
      parameters: fields.includes('parameters') ? parameters : null,
      input_schema: fields.includes('input_schema') ? schema : null,
    });
  }

  function exportDsl({ ids, request: { query } }: OpenapiCall): Reply {
    const app = flows.usable(ids[0]);
    requireEditor(app.workspace);
    const version = query.get('workflow_id');
    if (version !== null && !uuidPattern.test(version)) {
      throw invalidField('value_error', ['workflow_id'], 'Value error, must be a valid UUID');
    }
    if (version === app.draftId) throw serverError();
    const document = version === null ? app.draft : app.published.get(version);
    if (!document) {
      const body = JSON.stringify(`Workflow version not found. Workflow ID: ${version}.`);
      return { status: 404, headers: { 'Content-Type': 'application/json' }, body };
    }
    const data = writeDsl(document, query.get('include_secret') === 'true');
    return ok({ data, ...(context.catalog && { draft_hash: draftHash(document) }) });
  }

  function importDsl(call: OpenapiCall): Reply {
    const body = readBody(call, importBody);
    if (typeof body.yaml_content !== 'string') {
      throw invalidField(
        'value_error',
        [],
        "Value error, yaml_content is required when mode is 'yaml-content'",
      );
    }
    const workspace = flows.workspace(call.ids[0]);
    requireEditor(workspace);
    const read = readDsl(body.yaml_content);
    if ('error' in read) return failed(read.error);
    const { icon, icon_type, icon_background } = body;
    const face = { name: body.name, description: body.description, icon, icon_type, icon_background };
    const own = Object.fromEntries(Object.entries(face).filter(([, value]) => typeof value === 'string'));
    const document = { ...read.document, app: { ...read.document.app, ...own } };
    const target = body.app_id ?? undefined;
    if (body.draft_hash !== undefined) {
      if (!context.catalog)
        throw invalidField('extra_forbidden', ['draft_hash'], 'Extra inputs are not permitted');
      if (draftHash(flows.app(target).draft) !== body.draft_hash) throw draftChanged();
    }
    const status = importStatus(read.version);
    if (status !== 'pending') return keep(workspace, document, target, { status, version: read.version });
    const expiresAt = flows.now() + 10 * 60_000;
    const waiting = { id: randomUUID(), expiresAt, appId: target, document, version: read.version };
    flows.pending.push(waiting);
    return { status: 202, body: { ...outcome, id: waiting.id, status, imported_dsl_version: read.version } };
  }

  function confirm({ ids }: OpenapiCall): Reply {
    const workspace = flows.workspace(ids[0]);
    requireEditor(workspace);
    const at = flows.pending.findIndex(({ id, expiresAt }) => id === ids[1] && expiresAt > flows.now());
    const [waiting] = at < 0 ? [] : flows.pending.splice(at, 1);
    if (!waiting) return failed('Import information expired or does not exist', ids[1]);
    const { document, appId, version, id } = waiting;
    return keep(workspace, document, appId, { status: 'completed', version, id });
  }

  function keep(
    workspace: Workspace,
    document: AppDocument,
    appId: string | undefined,
    { status, version, id = randomUUID() }: { status: string; version: string; id?: string },
  ): Reply {
    const known = appId === undefined ? undefined : flows.all.find((app) => app.id === appId);
    if (appId !== undefined && (!known || known.workspace !== workspace)) return failed('App not found');
    if (known && !flowModes.has(known.mode)) {
      return failed('Only workflow or advanced chat apps can be overwritten');
    }
    if (known) flows.overwrite(known, document);
    const app = known ?? flows.create(document, workspace);
    flows.noteNeeds(app, document);
    const ids = { id, status, app_id: app.id, app_mode: document.app.mode };
    return ok({ ...outcome, ...ids, imported_dsl_version: version });
  }
}

const outcome = {
  ...{ app_id: null, app_mode: null, permission_keys: [] },
  ...{ current_dsl_version: dslVersion, imported_dsl_version: '', error: '', warnings: [] },
};

function failed(error: string, id: string = randomUUID()): Reply {
  return { status: 400, body: { ...outcome, id, status: 'failed', error } };
}

function infoOf({ id, mode, draft, updatedAt }: FlowApp): object {
  const { name, description = '' } = draft.app;
  // UTC, without a zone.
  return { id, name, description, mode, updated_at: new Date(updatedAt).toISOString().replace('Z', '000') };
}

/** Read from the source: any member lists, describes and runs. */
function requireEditor({ role }: Workspace): void {
  if (['owner', 'admin', 'editor'].includes(role)) return;
  throw refusal(403, 'forbidden', 'insufficient workspace role');
}

function tooLong(limit: number): string {
  return (
    '1 validation error for AppListParams\nlimit\n  Input should be less than or equal to 100 ' +
    `[type=less_than_equal, input_value=${limit}, input_type=int]\n` +
    '    For further information visit https://errors.pydantic.dev/2.12/v/less_than_equal'
  );
}
