import { appIdOf } from '../apps/appModelId.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { Event } from '../base/emitter.ts';
import type { Clients } from '../connections/clients.ts';
import type { RelayAccess, RelayConnections } from '../connections/relayConnections.ts';
import type { Model } from '../relay/messages.ts';
import { mergeModels, type ModelOverride } from '../relay/models.ts';
import { type ProtocolChoice, protocolFor, type ProtocolSetting } from '../relay/protocol.ts';
import type { WindowMemory } from './context/contextWindows.ts';
import { ModelCatalog } from './modelCatalog.ts';
import type { ToolCallers } from './turn.ts';

/** What is remembered of models between sessions, by the origin of their relay. */
export interface ModelMemory {
  lastModel(origin: string): string | undefined;
  setLastModel(origin: string, modelId: string): void;
  /** Models that the user insists on although the relay's list lacks them. */
  unlistedModels(origin: string): readonly string[];
  addUnlistedModel(origin: string, modelId: string): void;
  /** In tokens. */
  contextWindow(origin: string, modelId: string): number | undefined;
  setContextWindow(origin: string, modelId: string, tokens: number): void;
  callsTools(origin: string, modelId: string): boolean;
  setCallsTools(origin: string, modelId: string): void;
  /** Models that failed by the messages protocol and answered by chat completions. */
  fallenBack(origin: string): readonly string[];
  setFallenBack(origin: string, modelIds: readonly string[]): void;
}

/** What the user set about models. */
export interface ModelSettings {
  get(name: 'relay.models'): readonly ModelOverride[];
  get(name: 'relay.protocol'): ProtocolSetting;
  onDidChange: Event<(name: 'relay.models' | 'relay.protocol' | 'chat.model') => boolean>;
}

export interface RelayModelsDependencies {
  relays: Pick<RelayConnections, 'current' | 'onDidChange'>;
  clients: Pick<Clients, 'relay'>;
  settings: ModelSettings;
  memory: ModelMemory;
}

/** The models of the connected relay, and what is remembered of them for its origin alone. */
export class RelayModels implements Disposable {
  readonly catalog: ModelCatalog;
  /** The context windows that the relay named in refusals, in tokens. */
  readonly windows: WindowMemory;
  /** The models that were seen to call tools. */
  readonly toolCallers: ToolCallers;

  private readonly following = new DisposableStore();

  constructor(private readonly deps: RelayModelsDependencies) {
    const { relays, settings, memory } = deps;
    this.catalog = new ModelCatalog({
      listModels: async (signal) => relays.current && this.list(relays.current, signal),
      merge: (listed) => mergeModels(listed, settings.get('relay.models')),
      isKnown: (id) => appIdOf(id) !== undefined || memory.unlistedModels(this.origin).includes(id),
    });
    this.windows = {
      get: (modelId) => memory.contextWindow(this.origin, modelId),
      set: (modelId, tokens) => {
        if (relays.current) memory.setContextWindow(this.origin, modelId, tokens);
      },
    };
    this.toolCallers = {
      has: (modelId) => memory.callsTools(this.origin, modelId),
      add: (modelId) => memory.setCallsTools(this.origin, modelId),
    };
    this.following.add(
      relays.onDidChange(() => {
        this.catalog.reset();
        if (relays.current) void this.catalog.load();
      }),
    );
    this.following.add(
      settings.onDidChange((changed) => {
        if (changed('relay.models') || changed('chat.model')) this.catalog.refresh();
        // The user decides again.
        if (changed('relay.models') || changed('relay.protocol')) memory.setFallenBack(this.origin, []);
      }),
    );
  }

  /** The list of a relay, connected or only tried. */
  async list(access: RelayAccess, signal: AbortSignal): Promise<readonly Model[]> {
    return (await this.deps.clients.relay(access)).listModels(signal);
  }

  /** How the models of a relay are asked, and for which of them that was found out. */
  protocolsOf(origin: string): ProtocolChoice {
    const { memory, settings } = this.deps;
    return {
      of: (modelId) =>
        protocolFor(
          settings.get('relay.protocol'),
          this.catalog.find(modelId)?.protocol,
          memory.fallenBack(origin).includes(modelId),
        ),
      fellBack: (modelId) =>
        memory.setFallenBack(origin, [...new Set([...memory.fallenBack(origin), modelId])]),
    };
  }

  /** The model that was selected last. */
  get last(): string | undefined {
    return this.deps.memory.lastModel(this.origin);
  }

  /** Remembers what the user picked, for chats to come. */
  picked(modelId: string): void {
    this.deps.memory.setLastModel(this.origin, modelId);
    if (this.catalog.isUnlisted(modelId)) this.deps.memory.addUnlistedModel(this.origin, modelId);
  }

  dispose(): void {
    this.following.dispose();
    this.catalog.dispose();
  }

  /** Empty while no relay is connected. */
  private get origin(): string {
    return this.deps.relays.current?.origin ?? '';
  }
}
