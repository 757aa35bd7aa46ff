import { type Address, normaliseAddress } from '../base/address.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { RelayEntry } from '../relay/headers.ts';
import type { KeyKind, KeyStore } from './keyStore.ts';
import { readPlace, writePlace } from './serverPlace.ts';

export interface ServerAccess {
  baseUrl: string;
  /** Slot of its key; see `readPlace`. */
  origin: string;
  key: string;
  fromEnvironment: boolean;
}

export type TypedServer = Pick<ServerAccess, 'baseUrl' | 'origin' | 'key'>;

export type AddressSetting = 'relay.baseUrl' | 'platform.baseUrl';

type OtherSetting = 'relay.headers' | 'relay.connections';

export interface ConnectionSettings {
  get(name: AddressSetting): string;
  get(name: 'relay.headers'): Readonly<Record<string, string>>;
  get(name: 'relay.connections'): readonly RelayEntry[];
  set(name: AddressSetting, value: string): Promise<void>;
  set(name: 'relay.headers', value: Record<string, string>): Promise<void>;
  set(name: 'relay.connections', value: RelayEntry[]): Promise<void>;
  onDidChange: Event<(name: AddressSetting | OtherSetting) => boolean>;
}

export interface KnownAddress extends Address {
  /** True for the server of the kind's own setting. */
  isDefault: boolean;
}

export interface ServerPlaces<A extends ServerAccess> {
  keyKind: KeyKind;
  addressSetting: AddressSetting;
  otherSettings: readonly OtherSetting[];
  environmentUrl: string;
  environmentKey: string;
  further?(): readonly string[];
  complete(access: ServerAccess, isDefault: boolean): A | Promise<A>;
}

interface Found<A> {
  current: A | undefined;
  all: readonly A[];
}

export class ServerConnections<A extends ServerAccess> implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

  private found: Found<A> = { current: undefined, all: [] };
  private newest = 0;
  readonly ready: Promise<void>;

  constructor(
    private readonly places: ServerPlaces<A>,
    private readonly settings: ConnectionSettings,
    private readonly keys: KeyStore,
    private readonly environment: NodeJS.ProcessEnv,
  ) {
    this.disposables.add(keys.onDidChange(() => void this.refresh()));
    this.disposables.add(
      settings.onDidChange((changed) => {
        if ([places.addressSetting, ...places.otherSettings].some(changed)) void this.refresh();
      }),
    );
    // Reading settings and keys takes time; the editor's own start comes first.
    this.ready = Promise.resolve().then(() => this.refresh());
  }

  get current(): A | undefined {
    return this.found.current;
  }

  /** All connected servers, that of the setting first, with distinct origins. The same access is the same object. */
  get all(): readonly A[] {
    return this.found.all;
  }

  /** Address in force, connected or not: typed, else the environment's. */
  get baseUrl(): string | undefined {
    return this.addresses.find(({ isDefault }) => isDefault)?.baseUrl;
  }

  accessFor(typed: TypedServer, isDefault = true): A | Promise<A> {
    return this.places.complete({ ...typed, fromEnvironment: false }, isDefault);
  }

  async save(typed: TypedServer): Promise<void> {
    await this.keys.set({ kind: this.places.keyKind, origin: typed.origin }, typed.key);
    await this.settings.set(this.places.addressSetting, writePlace(typed));
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const turn = ++this.newest;
    const found = await this.look();
    // A slower, older read must not overwrite a newer one.
    if (turn !== this.newest || JSON.stringify(found) === JSON.stringify(this.found)) return;
    const known = new Map(this.found.all.map((access) => [JSON.stringify(access), access]));
    const same = (access: A): A => known.get(JSON.stringify(access)) ?? access;
    this.found = { current: found.current && same(found.current), all: found.all.map(same) };
    this.changes.fire();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  protected get addresses(): readonly KnownAddress[] {
    const first = this.settings.get(this.places.addressSetting) || this.environmentUrl;
    const found = new Map<string, KnownAddress>();
    for (const [index, written] of [first, ...(this.places.further?.() ?? [])].entries()) {
      const place = readPlace(written);
      if (place && !found.has(place.origin)) found.set(place.origin, { ...place, isDefault: index === 0 });
    }
    return [...found.values()];
  }

  private async look(): Promise<Found<A>> {
    const found = await Promise.all(
      this.addresses.map(async (address) => ({ address, access: await this.accessAt(address) })),
    );
    return {
      current: found.find(({ address }) => address.isDefault)?.access,
      all: found.flatMap(({ access }) => access ?? []),
    };
  }

  private async accessAt({ baseUrl, origin, isDefault }: KnownAddress): Promise<A | undefined> {
    const stored = await this.keys.get({ kind: this.places.keyKind, origin });
    const key = stored ?? this.environmentKey(origin);
    return key
      ? this.places.complete({ baseUrl, origin, key, fromEnvironment: !stored }, isDefault)
      : undefined;
  }

  private get environmentUrl(): string {
    return this.environment[this.places.environmentUrl] ?? '';
  }

  /** The environment's key is for the environment's address only. */
  private environmentKey(origin: string): string | undefined {
    const normal = normaliseAddress(this.environmentUrl);
    return 'origin' in normal && normal.origin === origin
      ? this.environment[this.places.environmentKey]?.trim() || undefined
      : undefined;
  }
}

export type PlatformAccess = ServerAccess;

export class PlatformConnections extends ServerConnections<PlatformAccess> {
  constructor(settings: ConnectionSettings, keys: KeyStore, environment: NodeJS.ProcessEnv) {
    super(
      {
        keyKind: 'dataset',
        addressSetting: 'platform.baseUrl',
        otherSettings: [],
        environmentUrl: 'SWITCHBOARD_PLATFORM_URL',
        environmentKey: 'SWITCHBOARD_DATASET_KEY',
        complete: (access) => access,
      },
      settings,
      keys,
      environment,
    );
  }
}
