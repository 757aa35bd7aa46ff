import * as l10n from '@vscode/l10n';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { Clients } from '../../connections/clients.ts';
import { SwitchboardError } from '../../base/errors/errors.ts';
import type { RelayAccess, RelayConnections } from '../../connections/relayConnections.ts';
import { placeOf } from '../../relay/relayModelId.ts';
import type { Message, Model, ProtocolSetting } from '../../relay/messages.ts';
import type { FactSource, ModelFacts } from '../../relay/profile/modelFacts.ts';
import { mergeModels, type ModelOverride } from '../../relay/list/modelOverrides.ts';
import type { WindowMemory } from '../context/contextWindows.ts';
import { RelayCatalog } from './relayCatalog.ts';
import { type KnownFact, type ProfileMemory, RelayProfiles } from './modelProfiles.ts';
import { JoinedCatalog } from './joinedCatalog.ts';
import type { ModelSet } from '../chatDependencies.ts';
import type { AskModel } from '../../relay/streamModel.ts';

export interface ModelMemory extends ProfileMemory {
  lastModel(origin: string): string | undefined;
  setLastModel(origin: string, modelId: string): void;
  useModel(modelId: string): void;
  unlistedModels(origin: string): readonly string[];
  addUnlistedModel(origin: string, modelId: string): void;
}

export interface ModelSettings {
  get(name: 'relay.models'): readonly ModelOverride[];
  get(name: 'relay.protocol'): ProtocolSetting;
  onDidChange: Event<(name: 'relay.models' | 'relay.protocol' | 'chat.model') => boolean>;
}

export interface RelayModelsDependencies {
  relays: Pick<RelayConnections, 'baseUrl' | 'current' | 'all' | 'ready' | 'onDidChange'>;
  clients: Pick<Clients, 'relay'>;
  settings: ModelSettings;
  memory: ModelMemory;
}

export class RelayModels implements Disposable {
  readonly catalog: JoinedCatalog;
  readonly windows: WindowMemory;
  readonly toolCallers: ModelSet;
  readonly refusesTools: ModelSet;
  readonly profiles: RelayProfiles;

  private readonly following = new DisposableStore();

  constructor(private readonly deps: RelayModelsDependencies) {
    const { relays, settings, memory } = deps;
    this.catalog = new JoinedCatalog(relays, (access) => this.createCatalog(access));
    this.profiles = new RelayProfiles({
      memory,
      listed: (origin, id) => this.catalog.ofRelay(origin)?.find(id),
      override: (origin, id) =>
        this.overridesOf(origin, settings.get('relay.models')).find((each) => each.id === id),
      protocol: () => settings.get('relay.protocol'),
      now: Date.now,
    });
    this.windows = {
      get: (modelId) => this.profiles.learntWindow(...this.place(modelId)),
      set: (modelId, contextWindow) => {
        if (placeOf(relays, modelId).access) this.learn(modelId, { contextWindow }, 'refusal');
      },
    };
    this.toolCallers = {
      has: (modelId) => this.facts(modelId).toolCalling === true,
      add: (modelId) => this.learn(modelId, { toolCalling: true }, 'answer'),
    };
    this.refusesTools = {
      has: (modelId) => this.facts(modelId).toolCalling === false,
      add: (modelId) => this.learn(modelId, { toolCalling: false }, 'refusal'),
    };
    this.following.add(relays.onDidChange(() => this.catalog.follow()));
    this.following.add(
      settings.onDidChange((changed) => {
        if (changed('relay.models') || changed('chat.model')) this.catalog.refresh();
        if (!changed('relay.models') && !changed('relay.protocol')) return;
        for (const { origin } of relays.all) this.profiles.forget(origin);
      }),
    );
  }

  async list(access: RelayAccess, signal: AbortSignal): Promise<readonly Model[]> {
    return (await this.deps.clients.relay(access)).listModels(signal);
  }

  facts(modelId: string): ModelFacts {
    return this.profiles.facts(...this.place(modelId));
  }

  known(modelId: string): KnownFact[] {
    return this.profiles.known(...this.place(modelId));
  }

  forget(modelId: string): void {
    this.profiles.forget(...this.place(modelId));
  }

  get last(): string | undefined {
    return this.deps.memory.lastModel(this.origin);
  }

  picked(modelId: string): void {
    this.deps.memory.setLastModel(this.origin, modelId);
    this.deps.memory.useModel(modelId);
    if (this.catalog.isUnlisted(modelId)) this.deps.memory.addUnlistedModel(...this.place(modelId));
  }

  dispose(): void {
    this.following.dispose();
    this.catalog.dispose();
  }

  private createCatalog(access: RelayAccess): RelayCatalog {
    const { settings, memory } = this.deps;
    const { origin } = access;
    return new RelayCatalog({
      listModels: async (signal) => {
        const listed = await this.list(access, signal);
        this.profiles.follow(origin, listed);
        return listed;
      },
      merge: (listed) => mergeModels(listed, this.overridesOf(origin, settings.get('relay.models'))),
      isKnown: (id) => memory.unlistedModels(origin).includes(id),
    });
  }

  private overridesOf(origin: string, overrides: readonly ModelOverride[]): ModelOverride[] {
    return overrides.flatMap((override) => {
      const place = placeOf(this.deps.relays, override.id.trim());
      return place.origin === origin ? [{ ...override, id: place.id }] : [];
    });
  }

  /** Unlisted models fail here, with a clearer and earlier error than the server's. */
  readonly ask: AskModel = async (request, signal, onEvent) => {
    const { relays, clients } = this.deps;
    await relays.ready;
    const { access, id } = placeOf(relays, request.model);
    if (!access) {
      const missing = this.catalog.missingRelay(request.model);
      throw new SwitchboardError(
        'key',
        missing ? l10n.t("The relay {0} isn't connected.", missing) : l10n.t('No relay is connected.'),
      );
    }
    if (this.catalog.isUnlisted(request.model)) {
      throw new SwitchboardError('model', l10n.t('"{0}" is no longer listed for your key.', id));
    }
    const client = await clients.relay(access);
    const messages = request.messages.map((message) => this.forRelay(message, access.origin));
    return client.ask({ ...request, model: id, messages }, signal, onEvent);
  };

  /** Drops reasoning of the same model id from another relay. */
  private forRelay(message: Message, origin: string): Message {
    if (message.role !== 'assistant') return message;
    const place = placeOf(this.deps.relays, message.model);
    return { ...message, model: place.origin === origin ? place.id : `${place.origin} ${place.id}` };
  }

  private learn(modelId: string, facts: ModelFacts, source: FactSource): void {
    const [origin, id] = this.place(modelId);
    this.profiles.learn(origin, id, facts, source);
  }

  /** Where facts about a model are stored. The origin is empty without a relay. */
  private place(modelId: string): [origin: string, id: string] {
    const { origin = '', id } = placeOf(this.deps.relays, modelId);
    return [origin, id];
  }

  private get origin(): string {
    return this.deps.relays.current?.origin ?? '';
  }
}
