import type { Disposable } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import type { Clients } from '../connections/clients.ts';
import type { PlatformAccess, PlatformConnections } from '../connections/platformConnections.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import type { ToolDependencies } from '../tools/toolDependencies.ts';
import type { Knowledge } from './knowledge.ts';
import type { KnowledgeOptions } from './knowledgeOptions.ts';

/** The connected platform with all that is known of its knowledge bases. */
export interface ConnectedParts {
  access: PlatformAccess;
  client: PlatformClient;
  knowledge: Knowledge;
}

export interface ConnectedPlatformDependencies {
  platforms: PlatformConnections;
  clients: Clients;
  tools(): Promise<{ dependencies: ToolDependencies }>;
  options(): KnowledgeOptions;
  /** How the user has knowledge bases searched, as it was stored. */
  memory: { searchSettings(origin: string, datasetId: string): unknown };
  /** Where the manifests of this workspace are stored. */
  manifestFolder: string;
  log: Log;
}

/** Makes the parts of the platform that is connected when they are first asked for, once for each connection. */
export class ConnectedPlatform implements Disposable {
  private current: { access: PlatformAccess; parts: Promise<ConnectedParts> } | undefined;
  private readonly listening: Disposable;

  constructor(private readonly deps: ConnectedPlatformDependencies) {
    this.listening = deps.platforms.onDidChange(() => this.discard());
  }

  get isConnected(): boolean {
    return this.deps.platforms.current !== undefined;
  }

  /** Undefined when no platform is connected. */
  async get(): Promise<ConnectedParts | undefined> {
    const { platforms } = this.deps;
    await platforms.ready;
    const access = platforms.current;
    if (!access) return undefined;
    if (this.current?.access !== access) {
      this.discard();
      const parts = this.create(access);
      this.current = { access, parts };
      // What could not be made is made again when it is next asked for.
      parts.catch(() => {
        if (this.current?.parts === parts) this.current = undefined;
      });
    }
    return this.current.parts;
  }

  dispose(): void {
    this.listening.dispose();
    this.discard();
  }

  private async create(access: PlatformAccess): Promise<ConnectedParts> {
    const { clients, tools, options, memory, manifestFolder, log } = this.deps;
    const [{ createWorkspaceKnowledge }, client, { dependencies }] = await Promise.all([
      import('./workspaceKnowledge.ts'),
      clients.platform(access),
      tools(),
    ]);
    const { origin } = access;
    const searchSettings = (id: string) => memory.searchSettings(origin, id);
    const parts = { client, origin, dependencies, options, searchSettings, manifestFolder, log };
    return { access, client, knowledge: createWorkspaceKnowledge(parts) };
  }

  private discard(): void {
    void this.current?.parts.then(
      ({ knowledge }) => knowledge.dispose(),
      () => {
        // The caller was told why there are none.
      },
    );
    this.current = undefined;
  }
}
