import type { Disposable } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import type { Clients } from '../connections/clients.ts';
import type { PlatformAccess, PlatformConnections } from '../connections/serverConnections.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import type { ToolDependencies } from '../tools/toolDependencies.ts';
import type { Knowledge } from './knowledge.ts';
import type { AddedBase } from './knowledgeBases.ts';
import type { KnowledgeOptions } from './indexing/indexingSettings.ts';

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
  memory: {
    searchSettings(origin: string, datasetId: string): unknown;
    addedBases(origin: string): readonly AddedBase[];
  };
  manifestFolder: string;
  log: Log;
}

export class ConnectedPlatform implements Disposable {
  private current: { access: PlatformAccess; parts: Promise<ConnectedParts> } | undefined;
  private readonly listening: Disposable;

  constructor(private readonly deps: ConnectedPlatformDependencies) {
    this.listening = deps.platforms.onDidChange(() => this.discard());
  }

  get isConnected(): boolean {
    return this.deps.platforms.current !== undefined;
  }

  async get(): Promise<ConnectedParts | undefined> {
    const { platforms } = this.deps;
    await platforms.ready;
    const access = platforms.current;
    if (!access) return undefined;
    if (this.current?.access !== access) {
      this.discard();
      const parts = this.create(access);
      this.current = { access, parts };
      // Tried again on the next use.
      parts.catch(() => {
        if (this.current?.parts === parts) this.current = undefined;
      });
    }
    return this.current.parts;
  }

  /** Undefined before the first use. */
  async known(): Promise<ConnectedParts | undefined> {
    return this.current?.parts;
  }

  dispose(): void {
    this.listening.dispose();
    this.discard();
  }

  private async create(access: PlatformAccess): Promise<ConnectedParts> {
    const { clients, tools, options, memory, manifestFolder, log } = this.deps;
    const [{ createWorkspaceKnowledge }, client, { dependencies }] = await Promise.all([
      import('./files/workspaceKnowledge.ts'),
      clients.platform(access),
      tools(),
    ]);
    const { origin } = access;
    const searchSettings = (id: string) => memory.searchSettings(origin, id);
    const addedBases = () => memory.addedBases(origin);
    const parts = {
      ...{ client, origin, dependencies, options, searchSettings, addedBases, manifestFolder, log },
    };
    return { access, client, knowledge: createWorkspaceKnowledge(parts) };
  }

  private discard(): void {
    void this.current?.parts.then(
      ({ knowledge }) => knowledge.dispose(),
      () => {
        // The caller gets the failure.
      },
    );
    this.current = undefined;
  }
}
