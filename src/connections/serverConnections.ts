import { type Address, normaliseAddress } from '../base/address.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { RelayEntry } from '../relay/relayEntry.ts';
import type { KeyKind, KeyStore } from './keyStore.ts';
import { readPlace, writePlace } from './serverPlace.ts';

/** A server that can be called: an address, and the key that was given for its origin. */
export interface ServerAccess {
  /** Without `/v1` and without a trailing slash. */
  baseUrl: string;
  /** What its key is stored under; see `readPlace`. */
  origin: string;
  key: string;
  fromEnvironment: boolean;
}

/** An address and a key, as the user typed them. */
export type TypedServer = Pick<ServerAccess, 'baseUrl' | 'origin' | 'key'>;

export type AddressSetting = 'relay.baseUrl' | 'platform.baseUrl';

type OtherSetting = 'relay.headers' | 'relay.connections';

/** The settings that connections follow. */
export interface ConnectionSettings {
  get(name: AddressSetting): string;
  get(name: 'relay.headers'): Readonly<Record<string, string>>;
  get(name: 'relay.connections'): readonly RelayEntry[];
  set(name: AddressSetting, value: string): Promise<void>;
  set(name: 'relay.headers', value: Record<string, string>): Promise<void>;
  set(name: 'relay.connections', value: RelayEntry[]): Promise<void>;
  onDidChange: Event<(name: AddressSetting | OtherSetting) => boolean>;
}

/** The address of a server that settings have, whether there is a key for it or not. */
export interface KnownAddress extends Address {
  /** It is that of the setting of its kind. */
  isDefault: boolean;
}

/** Where one kind of server is configured. */
export interface ServerPlaces<A extends ServerAccess> {
  keyKind: KeyKind;
  addressSetting: AddressSetting;
  /** Settings that count beside the address. */
  otherSettings: readonly OtherSetting[];
  /** Names of variables of the extension host's environment. */
  environmentUrl: string;
  environmentKey: string;
  /** Addresses of servers that are connected besides the one of the setting. */
  further?(): readonly string[];
  /** @param isDefault it is the server of the setting */
  complete(access: ServerAccess, isDefault: boolean): A | Promise<A>;
}

/** What one look found. */
interface Found<A> {
  current: A | undefined;
  all: readonly A[];
}

/** Follows settings, secrets and the environment, and knows which servers of its kind are connected now. */
export class ServerConnections<A extends ServerAccess> implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changes = new Emitter<void>();
  /** Fires when another server, another key or other settings of it are in force. */
  readonly onDidChange = this.changes.event;

  private found: Found<A> = { current: undefined, all: [] };
  private newest = 0;
  /** Resolves when the first look was taken. */
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
    // Settings and keys take their time; what the editor waits for comes first.
    this.ready = Promise.resolve().then(() => this.refresh());
  }

  /** The server of the setting, or undefined when there is no address or no key for it. */
  get current(): A | undefined {
    return this.found.current;
  }

  /** All servers that can be called, that of the setting first. No two have the same origin. The same access is the same object. */
  get all(): readonly A[] {
    return this.found.all;
  }

  /** The address in force, connected or not: what was typed, else the environment's. */
  get baseUrl(): string | undefined {
    return this.addresses.find(({ isDefault }) => isDefault)?.baseUrl;
  }

  /** What would be in force with this address and key, as the server of the setting or besides it. */
  accessFor(typed: TypedServer, isDefault = true): A | Promise<A> {
    return this.places.complete({ ...typed, fromEnvironment: false }, isDefault);
  }

  /** Puts a server in force that the user typed. */
  async save(typed: TypedServer): Promise<void> {
    await this.keys.set({ kind: this.places.keyKind, origin: typed.origin }, typed.key);
    await this.settings.set(this.places.addressSetting, writePlace(typed));
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const turn = ++this.newest;
    const found = await this.look();
    // A slower, older look must not overwrite what a newer one found.
    if (turn !== this.newest || JSON.stringify(found) === JSON.stringify(this.found)) return;
    const known = new Map(this.found.all.map((access) => [JSON.stringify(access), access]));
    const same = (access: A): A => known.get(JSON.stringify(access)) ?? access;
    this.found = { current: found.current && same(found.current), all: found.all.map(same) };
    this.changes.fire();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** Where all servers are that settings have, that of the setting first. No two have the same origin. */
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

  /** The environment's key is for the environment's address alone. */
  private environmentKey(origin: string): string | undefined {
    const normal = normaliseAddress(this.environmentUrl);
    return 'origin' in normal && normal.origin === origin
      ? this.environment[this.places.environmentKey]?.trim() || undefined
      : undefined;
  }
}
