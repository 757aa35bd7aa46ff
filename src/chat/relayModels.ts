import * as l10n from '@vscode/l10n';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { Event } from '../base/emitter.ts';
import type { Clients } from '../connections/clients.ts';
import { SwitchboardError } from '../base/errors.ts';
import type { RelayAccess, RelayConnections } from '../connections/relayConnections.ts';
import { placeOf } from '../relay/relayModelId.ts';
import type { Message, Model, StreamModel } from '../relay/messages.ts';
import { mergeModels, type ModelOverride } from '../relay/models.ts';
import type { ParameterMemory } from '../relay/refusedParameters.ts';
import { type ProtocolChoice, protocolFor, type ProtocolSetting } from '../relay/protocol.ts';
import type { WindowMemory } from './context/contextWindows.ts';
import { ModelList } from './modelList.ts';
import { RelayCatalog } from './relayCatalog.ts';
import type { ToolCallers } from './turn.ts';

/** What is remembered of models between sessions, by the origin of their relay. */
export interface ModelMemory {
  lastModel(origin: string): string | undefined;
  setLastModel(origin: string, modelId: string): void;
  /** Puts it first among those that were picked last. */
  useModel(modelId: string): void;
  /** Models that the user insists on although the relay's list lacks them. */
  unlistedModels(origin: string): readonly string[];
  addUnlistedModel(origin: string, modelId: string): void;
  /** In tokens. */
  contextWindow(origin: string, modelId: string): number | undefined;
  setContextWindow(origin: string, modelId: string, tokens: number): void;
  callsTools(origin: string, modelId: string): boolean;
  setCallsTools(origin: string, modelId: string): void;
  /** What a model was found not to support of what the user may set. */
  refusedParameters(origin: string, modelId: string): readonly string[];
  addRefusedParameter(origin: string, modelId: string, refused: string): void;
  forgetRefusedParameters(origin: string): void;
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
  relays: Pick<RelayConnections, 'baseUrl' | 'current' | 'all' | 'ready' | 'onDidChange'>;
  clients: Pick<Clients, 'relay'>;
  settings: ModelSettings;
  memory: ModelMemory;
}

/** The models of the connected relays, and what is remembered of them for the origin of each alone. */
export class RelayModels implements Disposable {
  readonly catalog: RelayCatalog;
  /** The context windows that the relays named in refusals, in tokens. */
  readonly windows: WindowMemory;
  /** The models that were seen to call tools. */
  readonly toolCallers: ToolCallers;

  private readonly following = new DisposableStore();

  constructor(private readonly deps: RelayModelsDependencies) {
    const { relays, settings, memory } = deps;
    this.catalog = new RelayCatalog(relays, (access) => this.createList(access));
    this.windows = {
      get: (modelId) => memory.contextWindow(...this.place(modelId)),
      set: (modelId, tokens) => {
        if (placeOf(relays, modelId).access) memory.setContextWindow(...this.place(modelId), tokens);
      },
    };
    this.toolCallers = {
      has: (modelId) => memory.callsTools(...this.place(modelId)),
      add: (modelId) => memory.setCallsTools(...this.place(modelId)),
    };
    this.following.add(relays.onDidChange(() => this.catalog.follow()));
    this.following.add(
      settings.onDidChange((changed) => {
        if (changed('relay.models') || changed('chat.model')) this.catalog.refresh();
        if (!changed('relay.models') && !changed('relay.protocol')) return;
        // The user decides again.
        for (const { origin } of relays.all) {
          memory.setFallenBack(origin, []);
          memory.forgetRefusedParameters(origin);
        }
      }),
    );
  }

  /** The list of a relay, connected or only tried. */
  async list(access: RelayAccess, signal: AbortSignal): Promise<readonly Model[]> {
    return (await this.deps.clients.relay(access)).listModels(signal);
  }

  /**
   * Asks the relay that the id of the model names, and no model that its list lacks for the key: that refusal would
   * come later and say less.
   */
  readonly streamModel: StreamModel = (request, signal) => this.ask(request, signal);

  /** How the models of a relay are asked, and for which of them that was found out. */
  protocolsOf(origin: string): ProtocolChoice {
    const { memory, settings } = this.deps;
    return {
      of: (id) =>
        protocolFor(
          settings.get('relay.protocol'),
          this.catalog.listOf(origin)?.find(id)?.protocol,
          memory.fallenBack(origin).includes(id),
        ),
      fellBack: (id) => memory.setFallenBack(origin, [...new Set([...memory.fallenBack(origin), id])]),
    };
  }

  /** What the models of a relay were found not to support. */
  parametersOf(origin: string): ParameterMemory {
    const { memory } = this.deps;
    return {
      refused: (id) => memory.refusedParameters(origin, id),
      refuse: (id, refused) => memory.addRefusedParameter(origin, id, refused),
    };
  }

  /** Which parameters, or values of them, cannot be set for a model. */
  refusedParameters(modelId: string): readonly string[] {
    const [origin, id] = this.place(modelId);
    return this.deps.memory.refusedParameters(origin, id);
  }

  /** The model that was selected last. */
  get last(): string | undefined {
    return this.deps.memory.lastModel(this.origin);
  }

  /** Remembers what the user picked, for chats to come. */
  picked(modelId: string): void {
    this.deps.memory.setLastModel(this.origin, modelId);
    this.deps.memory.useModel(modelId);
    if (this.catalog.isUnlisted(modelId)) this.deps.memory.addUnlistedModel(...this.place(modelId));
  }

  dispose(): void {
    this.following.dispose();
    this.catalog.dispose();
  }

  private createList(access: RelayAccess): ModelList {
    const { settings, memory } = this.deps;
    const { origin } = access;
    return new ModelList({
      listModels: (signal) => this.list(access, signal),
      merge: (listed) => mergeModels(listed, this.overridesOf(origin, settings.get('relay.models'))),
      isKnown: (id) => memory.unlistedModels(origin).includes(id),
    });
  }

  /** Those for the models of a relay, by the ids that it has for them. */
  private overridesOf(origin: string, overrides: readonly ModelOverride[]): ModelOverride[] {
    return overrides.flatMap((override) => {
      const place = placeOf(this.deps.relays, override.id.trim());
      return place.origin === origin ? [{ ...override, id: place.id }] : [];
    });
  }

  private async *ask(...[request, signal]: Parameters<StreamModel>): ReturnType<StreamModel> {
    const { relays, clients } = this.deps;
    await relays.ready;
    const { access, id } = placeOf(relays, request.model);
    if (!access) {
      const missing = this.catalog.missingRelay(request.model);
      throw new SwitchboardError(
        'key',
        missing ? l10n.t('The relay {0} is not connected.', missing) : l10n.t('No relay is connected.'),
      );
    }
    if (this.catalog.isUnlisted(request.model)) {
      throw new SwitchboardError('model', l10n.t('"{0}" is no longer listed for your key.', id));
    }
    const { streamModel } = await clients.relay(access);
    const messages = request.messages.map((message) => this.forRelay(message, access.origin));
    yield* streamModel({ ...request, model: id, messages }, signal);
  }

  /** What another relay's model of the same id thought is not given back to this one. */
  private forRelay(message: Message, origin: string): Message {
    if (message.role !== 'assistant') return message;
    const place = placeOf(this.deps.relays, message.model);
    return { ...message, model: place.origin === origin ? place.id : `${place.origin} ${place.id}` };
  }

  /** Where facts about a model are remembered. The origin is empty while no relay is connected. */
  private place(modelId: string): [origin: string, id: string] {
    const { origin = '', id } = placeOf(this.deps.relays, modelId);
    return [origin, id];
  }

  /** Empty while no relay is connected. */
  private get origin(): string {
    return this.deps.relays.current?.origin ?? '';
  }
}
