import * as z from 'zod/mini';
import { asObject, asText, type JsonObject } from '../../base/json.ts';
import { orElse } from '../../base/lenientSchemas.ts';
import { type Caller, type PlatformRequest, type Read, route } from '../platformCall.ts';
import { eachPage, id, pageOf, readList, text } from '../platformWire.ts';
import {
  type Account,
  type AppDescription,
  appModes,
  type Draft,
  type DslImport,
  type ImportIssue,
  type ImportRequest,
  type ListedApp,
  type Member,
  type Workspace,
} from './openapiRecords.ts';
import { createAccountCaller, type SignedInContext } from './accountCaller.ts';
import { readCatalog } from './catalog.ts';

export type OpenapiClient = ReturnType<typeof createOpenapiClient>;

/** Throws `SwitchboardError`s, `key` once the sign-in ended. A token has 60 requests a minute; refused ones repeat. */
export function createOpenapiClient(context: SignedInContext) {
  const caller = createAccountCaller(context);
  const { log } = context;
  return {
    account: (signal: AbortSignal): Promise<Account> => get(caller, '/account', {}, readAccount, signal),
    workspaces: (signal: AbortSignal): Promise<Workspace[]> =>
      get(caller, '/workspaces', {}, readWorkspaces, signal),
    /** Members of a workspace, by page. Read from the source of 1.16.1; not recorded. */
    members: (workspaceId: string, signal: AbortSignal): AsyncGenerator<Member[], void> =>
      eachPage((page) =>
        get(caller, route`/workspaces/${workspaceId}/members`, { ...page }, pageOf(readMember, log), signal),
      ),
    /** The apps with API access, by page; agents of the new mode are never listed. */
    apps: (workspaceId: string, signal: AbortSignal): AsyncGenerator<ListedApp[], void> =>
      eachPage((page) =>
        get(caller, '/apps', { workspace_id: workspaceId, ...page }, pageOf(readApp, log), signal),
      ),
    describe: (appId: string, signal: AbortSignal): Promise<AppDescription> =>
      get(caller, route`/apps/${appId}`, { fields: 'info,parameters' }, readDescription, signal),
    ...flowCalls(context, caller),
    signOut: (signal: AbortSignal): Promise<void> =>
      caller.send({ method: 'DELETE', path: '/account/sessions/self' }, signal),
  };
}

function flowCalls(context: SignedInContext, caller: Caller) {
  return {
    /** The draft or a version. `includeSecret` adds secret variables in plain text: never to be written to a disk. */
    exportDsl: (
      appId: string,
      options: { includeSecret?: boolean; workflowId?: string },
      signal: AbortSignal,
    ): Promise<string> =>
      get(
        caller,
        route`/apps/${appId}/dsl`,
        {
          ...(options.includeSecret === true && { include_secret: 'true' }),
          workflow_id: options.workflowId,
        },
        readDsl,
        signal,
      ),
    /** The draft without secrets; since 1.18 with a hash, by which an import knows whether it is still the same. */
    exportDraft: (appId: string, signal: AbortSignal): Promise<Draft> =>
      get(caller, route`/apps/${appId}/dsl`, {}, readDraft, signal),
    /** Throws with the platform's reason as `why` if it refuses the DSL. Never sent twice. */
    importDsl: (
      workspaceId: string,
      { yaml, appId, name, description, draftHash }: ImportRequest,
      signal: AbortSignal,
    ): Promise<DslImport> =>
      post(
        caller,
        route`/workspaces/${workspaceId}/apps/imports`,
        {
          ...{ mode: 'yaml-content', yaml_content: yaml, app_id: appId, name, description },
          draft_hash: draftHash,
        },
        signal,
      ),
    confirmImport: (workspaceId: string, importId: string, signal: AbortSignal): Promise<DslImport> =>
      post(caller, route`/workspaces/${workspaceId}/apps/imports/${importId}:confirm`, undefined, signal),
    /** Plugins that the app's last import lacks; the platform knows them for ten minutes. */
    missingPlugins: (appId: string, signal: AbortSignal): Promise<string[]> =>
      get(caller, route`/apps/${appId}/dependencies:check`, {}, readMissingPlugins, signal),
    /** Problems of a DSL as the server sees them; undefined before 1.18. */
    async checkImport(
      workspaceId: string,
      { yaml, appId }: ImportRequest,
      signal: AbortSignal,
    ): Promise<ImportIssue[] | undefined> {
      const path = route`/workspaces/${workspaceId}/apps/imports:check`;
      if (!(await readCatalog(context, signal))?.has('POST', path)) return undefined;
      const json = { mode: 'yaml-content', yaml_content: yaml, app_id: appId };
      return caller.ask({ method: 'POST', path, json }, readIssues, signal);
    },
    /** False before 1.18: publishing takes the console. */
    canPublish: async (appId: string, signal: AbortSignal): Promise<boolean> =>
      (await readCatalog(context, signal))?.has('POST', route`/apps/${appId}:publish`) === true,
    /** Makes the draft what runs. Resolves with the server's warning, or an empty text. Never sent twice. */
    publish: (appId: string, note: string, signal: AbortSignal): Promise<string> =>
      caller.ask(
        {
          method: 'POST',
          path: route`/apps/${appId}:publish`,
          json: { marked_name: '', marked_comment: note },
        },
        readPublished,
        signal,
      ),
  };
}

function get<T>(
  caller: Caller,
  path: string,
  query: NonNullable<PlatformRequest['query']>,
  read: Read<T>,
  signal: AbortSignal,
): Promise<T> {
  return caller.ask({ method: 'GET', path, query, isRead: true }, read, signal);
}

function post(
  caller: Caller,
  path: string,
  json: JsonObject | undefined,
  signal: AbortSignal,
): Promise<DslImport> {
  return caller.ask({ method: 'POST', path, ...(json && { json }) }, readImport, signal);
}

const workspaceSchema = z.object({ id, name: text, role: text });

export function readWorkspace(item: unknown): Workspace | undefined {
  const { data } = workspaceSchema.safeParse(item);
  return data && { id: data.id, name: data.name ?? data.id, role: data.role ?? '' };
}

export function readWorkspaces(json: unknown): Workspace[] | undefined {
  const list = asObject(json)?.['workspaces'];
  return Array.isArray(list) ? readList(list, readWorkspace) : undefined;
}

const accountSchema = z.object({ id, name: text, email: text });

function readMember(item: unknown): Member | undefined {
  const { data } = accountSchema.safeParse(item);
  return data && { id: data.id, name: data.name ?? '', email: data.email ?? '' };
}

export function readAccount(json: unknown): Account | undefined {
  const body = asObject(json);
  const { data } = accountSchema.safeParse(body?.['account']);
  const chosen = asText(body?.['default_workspace_id']);
  return (
    data && {
      ...{ id: data.id, name: data.name ?? '', email: data.email ?? '' },
      workspaces: readWorkspaces(json) ?? [],
      ...(chosen && { defaultWorkspaceId: chosen }),
    }
  );
}

const mode = orElse(z.enum(appModes), 'unknown');
const appSchema = z.object({ id, name: text, description: text, mode, updated_at: text });

function readApp(item: unknown): ListedApp | undefined {
  const { data } = appSchema.safeParse(item);
  if (!data) return undefined;
  const { name = data.id, description = '', updated_at: updated = '' } = data;
  const updatedAtMs = readTime(updated);
  return {
    ...{ id: data.id, name, description, mode: data.mode },
    ...(updatedAtMs !== undefined && { updatedAtMs }),
  };
}

/** Times are UTC, without saying so. */
function readTime(written: string): number | undefined {
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(written) ? written : `${written}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function readDescription(json: unknown): AppDescription | undefined {
  const body = asObject(json);
  const app = readApp(body?.['info']);
  return app && { app, parameters: asObject(body?.['parameters']) ?? {} };
}

function readDsl(json: unknown): string | undefined {
  const data = asObject(json)?.['data'];
  return typeof data === 'string' ? data : undefined;
}

function readDraft(json: unknown): Draft | undefined {
  const yaml = readDsl(json);
  const hash = asText(asObject(json)?.['draft_hash']);
  return yaml === undefined ? undefined : { text: yaml, ...(hash && { hash }) };
}

/** Documented only (1.18). */
function readPublished(json: unknown): string | undefined {
  const body = asObject(json);
  return body && asText(body['version_id']) ? (asText(body['warning']) ?? '') : undefined;
}

/** Documented only (1.18). */
function readIssues(json: unknown): ImportIssue[] | undefined {
  const list = asObject(json)?.['issues'];
  if (!Array.isArray(list)) return undefined;
  return readList(list, (entry) => {
    const { message, severity, node_id: nodeId } = asObject(entry) ?? {};
    if (!asText(message)) return undefined;
    return {
      message: asText(message)!,
      severity: severity === 'warning' ? 'warning' : 'error',
      ...(asText(nodeId) && { nodeId: asText(nodeId)! }),
    };
  });
}

/** Recorded only empty; the fields are those of a DSL's `dependencies`. */
function readMissingPlugins(json: unknown): string[] | undefined {
  const list = asObject(json)?.['leaked_dependencies'];
  if (!Array.isArray(list)) return undefined;
  return readList(list, (entry) => {
    const value = Object.entries(asObject(asObject(entry)?.['value']) ?? {});
    const [, name] = value.find(([key]) => key.endsWith('plugin_unique_identifier')) ?? [];
    return asText(name)?.split(/[:@]/, 1)[0];
  });
}

const importSchema = z.object({
  id,
  status: z.enum(['completed', 'completed-with-warnings', 'pending']),
  app_id: text,
  app_mode: mode,
  current_dsl_version: text,
  imported_dsl_version: text,
});

function readImport(json: unknown): DslImport | undefined {
  const { data } = importSchema.safeParse(json);
  if (!data) return undefined;
  const warnings: unknown = asObject(json)?.['warnings'];
  return {
    ...{ id: data.id, status: data.status },
    ...(data.app_id && { appId: data.app_id, mode: data.app_mode }),
    serverVersion: data.current_dsl_version ?? '',
    importedVersion: data.imported_dsl_version ?? '',
    warnings: readList(warnings, (each) => (typeof each === 'string' ? each : JSON.stringify(each))),
  };
}
