import { appIdOf } from '../../apps/appModelId.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { type ConnectedRelays, hostOf, placeOf, relayModelId } from '../../relay/relayModelId.ts';
import type { RelayAccess } from '../../connections/relayConnections.ts';
import type { CatalogModel, ModelCatalog, ModelCatalogState } from './modelCatalog.ts';
import { RelayCatalog } from './relayCatalog.ts';

interface ConnectedCatalog {
  access: RelayAccess;
  catalog: RelayCatalog;
}

export class JoinedCatalog implements ModelCatalog, Disposable {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

  /** By origin, in connection order. */
  private catalogs: ReadonlyMap<string, ConnectedCatalog> = new Map();
  private isWanted = false;
  private joined: { state: ModelCatalogState; byId: ReadonlyMap<string, CatalogModel> } | undefined;

  constructor(
    private readonly relays: ConnectedRelays<RelayAccess> & { readonly baseUrl: string | undefined },
    private readonly createCatalog: (access: RelayAccess) => RelayCatalog,
  ) {
    this.follow();
  }

  get state(): ModelCatalogState {
    return this.join().state;
  }

  find(id: string): CatalogModel | undefined {
    return this.join().byId.get(this.plainId(id));
  }

  isUnlisted(modelId: string): boolean {
    if (appIdOf(modelId) !== undefined) return false;
    const { origin = '', id } = placeOf(this.relays, modelId);
    return this.catalogs.get(origin)?.catalog.isUnlisted(id) ?? false;
  }

  missingRelay(modelId: string): string | undefined {
    const { relays } = this;
    const { origin = relays.baseUrl, access } = placeOf(relays, modelId);
    if (appIdOf(modelId) !== undefined || access || relays.all.length === 0) return undefined;
    return origin === undefined ? '' : hostOf(origin);
  }

  /** Nothing is loaded before the first call; later connections then load by themselves. */
  async ensure(): Promise<void> {
    this.isWanted = true;
    await Promise.all([...this.catalogs.values()].map(({ catalog }) => catalog.ensure()));
  }

  async load(): Promise<void> {
    await Promise.all([...this.catalogs.values()].map(({ catalog }) => catalog.load()));
  }

  ofRelay(origin: string): RelayCatalog | undefined {
    return this.catalogs.get(origin)?.catalog;
  }

  follow(): void {
    const before = this.catalogs;
    this.catalogs = new Map(
      this.relays.all.map((access) => {
        const known = before.get(access.origin);
        return [access.origin, known?.access === access ? known : this.open(access)];
      }),
    );
    for (const [origin, left] of before) if (this.catalogs.get(origin) !== left) left.catalog.dispose();
    this.refresh();
    if (this.isWanted) void this.ensure();
  }

  refresh(): void {
    this.joined = undefined;
    this.changes.fire();
  }

  dispose(): void {
    for (const { catalog } of this.catalogs.values()) catalog.dispose();
  }

  private open(access: RelayAccess): ConnectedCatalog {
    const catalog = this.createCatalog(access);
    catalog.onDidChange(() => this.refresh());
    return { access, catalog };
  }

  private plainId(modelId: string): string {
    const { origin, id } = placeOf(this.relays, modelId);
    return origin === undefined ? modelId : relayModelId(this.relays.current, origin, id);
  }

  private join(): NonNullable<typeof this.joined> {
    if (this.joined) return this.joined;
    const lists = [...this.catalogs.values()].map(({ access, catalog }) => ({
      access,
      state: catalog.state,
    }));
    const relays = lists.map(({ access: { origin, name }, state }) => ({
      ...{ name, models: state.models, prefix: relayModelId(this.relays.current, origin, '') },
    }));
    const models = relays.flatMap(({ name, prefix, models: listed }) =>
      listed.map((model) => ({
        ...{ ...model, id: prefix + model.id },
        ...(relays.length > 1 && { relay: name }),
        ...(prefix && { plainId: model.id }),
      })),
    );
    const failed = lists.find(({ state }) => state.error);
    const isAny = (phase: ModelCatalogState['state']) => lists.some(({ state }) => state.state === phase);
    const phases = ['loading', 'ready', 'failed'] as const;
    const state: ModelCatalogState = {
      state: phases.find(isAny) ?? 'none',
      models,
      ...(relays.length > 1 && { relays: relays.map(({ name, prefix }) => ({ name, prefix })) }),
      ...(failed?.state.error && { error: failed.state.error }),
      ...(failed && lists.length > 1 && { failedRelay: failed.access.name }),
    };
    this.joined = { state, byId: new Map(models.map((model) => [model.id, model])) };
    return this.joined;
  }
}
