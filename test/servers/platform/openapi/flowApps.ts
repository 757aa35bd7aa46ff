import { randomUUID } from 'node:crypto';
import { refusal } from '../platformErrors.ts';
import type { AppContext } from '../apps/appContext.ts';
import { sandboxApps } from '../apps/sandboxApps.ts';
import type { AppMode, ScriptedApp } from '../apps/scriptedApp.ts';
import { uuidOf, workflowIdOf } from '../apps/workflowId.ts';
import { type AppDocument, documentOf, flowModes, newAgent, readDsl, textOf } from './dslDocument.ts';
import { dslFlow } from './dslFlow.ts';
import type { WorkspaceSpec } from './openapiOptions.ts';

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly members: readonly string[];
}

export interface FlowApp {
  readonly id: string;
  readonly workspace: Workspace;
  /** `agent` is the new mode, which no list shows and no call runs. */
  readonly mode: AppMode | 'agent';
  draft: AppDocument;
  draftId: string;
  /** Published versions by id, the newest last. */
  readonly published: Map<string, AppDocument>;
  /** The running app; undefined until it is published. */
  app: ScriptedApp | undefined;
  hasServiceApi: boolean;
  updatedAt: number;
}

interface PendingImport {
  readonly id: string;
  readonly expiresAt: number;
  readonly appId: string | undefined;
  readonly document: AppDocument;
  readonly version: string;
}

/** Workspaces of the account with their apps: drafts, published versions and pending imports. */
export class FlowApps {
  readonly workspaces: readonly Workspace[];
  readonly all: FlowApp[] = [];
  readonly pending: PendingImport[] = [];
  /** Notes of publishing calls. */
  readonly notes: string[] = [];
  /** By app: what its last import needs, for ten minutes. */
  readonly #needed = new Map<string, { dependencies: readonly unknown[]; expiresAt: number }>();

  constructor(
    readonly context: AppContext,
    readonly version: string,
    specs: readonly WorkspaceSpec[],
    readonly now: () => number,
  ) {
    this.workspaces = specs.map(({ name, role = 'owner', members = [] }) => ({
      id: uuidOf(`workspace ${name}`),
      ...{ name, role, members },
    }));
    for (const [index, { apps }] of specs.entries()) {
      const scripted =
        apps?.map((name): ScriptedApp => sandboxApps[name]) ?? (index === 0 ? context.apps : []);
      for (const app of scripted) this.#addScripted(app, index);
    }
    const [workspace] = this.workspaces;
    if (workspace) this.create(newAgent, workspace);
  }

  /** Throws the refusal of a missing or another account's workspace. */
  workspace(id: string | null | undefined): Workspace {
    const found = this.workspaces.find((workspace) => workspace.id === id);
    if (!found) throw refusal(404, 'not_found', 'workspace not found');
    return found;
  }

  app(id: string | undefined): FlowApp {
    const found = this.all.find((each) => each.id === id);
    if (!found) throw refusal(404, 'not_found', 'app not found');
    return found;
  }

  usable(id: string | undefined): FlowApp {
    const app = this.app(id);
    if (!app.hasServiceApi) throw refusal(403, 'forbidden', 'service_api_disabled');
    return app;
  }

  create(document: AppDocument, workspace: Workspace): FlowApp {
    const app: FlowApp = {
      ...{ id: randomUUID(), workspace, mode: document.app.mode as FlowApp['mode'], draft: document },
      ...{ draftId: randomUUID(), published: new Map(), app: undefined, hasServiceApi: true },
      updatedAt: this.now(),
    };
    // An agent's API is off until somebody switches it on.
    if (document.app.mode === 'agent-chat') app.hasServiceApi = false;
    // Only flows have a draft; other apps run at once.
    if (!flowModes.has(app.mode) && app.mode !== 'agent') app.app = repeatingApp(document, `app-${app.id}`);
    this.all.push(app);
    return app;
  }

  noteNeeds({ id }: FlowApp, { dependencies }: AppDocument): void {
    this.#needed.set(id, { dependencies, expiresAt: this.now() + 10 * 60_000 });
  }

  /** Result of an import check: models that no workspace has. */
  issues({ workflow }: AppDocument): object[] {
    const nodes = (workflow?.['graph'] as { nodes?: { id: string; data?: { model?: { name?: string } } }[] })
      ?.nodes;
    return (nodes ?? []).flatMap(({ id, data }) =>
      data?.model?.name === 'no-such-model'
        ? [
            {
              ...{ code: 'model_not_found', severity: 'error', node_id: id, loc: ['model', 'name'] },
              message: 'Model no-such-model not found.',
            },
          ]
        : [],
    );
  }

  missing({ id }: FlowApp, installed: readonly string[] | undefined): unknown[] {
    const needed = this.#needed.get(id);
    if (!needed || !installed || needed.expiresAt <= this.now()) return [];
    return needed.dependencies.filter((each) => {
      const plugin = /"\w*plugin_unique_identifier":"([^:@"]+)/.exec(JSON.stringify(each))?.[1];
      return plugin !== undefined && !installed.includes(plugin);
    });
  }

  /** The name and icon take effect at once, the graph only in the draft. */
  overwrite(app: FlowApp, document: AppDocument): void {
    app.draft = { ...document, app: { ...document.app, mode: app.mode } };
    app.draftId = randomUUID();
    app.updatedAt = this.now();
  }

  publish(app: FlowApp): string {
    const id = randomUUID();
    const key = app.app?.key ?? `app-${app.id}`;
    app.published.set(id, app.draft);
    app.app = dslFlow(app.draft, key, id);
    const at = this.context.apps.findIndex((each) => each.key === key);
    (this.context.apps as ScriptedApp[]).splice(at < 0 ? this.context.apps.length : at, 1, app.app);
    return id;
  }

  addFlow(yaml: string, isPublished = true): FlowApp {
    const read = readDsl(yaml);
    const [workspace] = this.workspaces;
    if ('error' in read || !workspace) throw new Error('error' in read ? read.error : 'No workspace.');
    const app = this.create(read.document, workspace);
    if (isPublished) this.publish(app);
    return app;
  }

  #addScripted(app: ScriptedApp, index: number): void {
    const workspace = this.workspaces[index];
    if (!workspace) return;
    const document = documentOf(app);
    this.all.push({
      ...{ id: uuidOf(`${index === 0 ? '' : workspace.id} app ${app.key}`), workspace, mode: app.mode, app },
      ...{ draft: document, draftId: uuidOf(`draft ${app.key}`), hasServiceApi: true },
      published: new Map([[workflowIdOf(app), document]]),
      updatedAt: this.now(),
    });
  }
}

function repeatingApp({ app }: AppDocument, key: string): ScriptedApp {
  return {
    ...{ mode: app.mode as AppMode, key, name: app.name, describe: textOf(app['description']) },
    *answer({ query }) {
      yield { type: 'text', text: `Stub heard: "${query}".` };
    },
  };
}
