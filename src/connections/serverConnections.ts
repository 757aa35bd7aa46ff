import { normaliseAddress } from '../base/address.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { KeyKind, KeyStore } from './keyStore.ts';

/** A server that can be called: an address, and the key that was given for its origin. */
export interface ServerAccess {
  /** Without `/v1` and without a trailing slash. */
  baseUrl: string;
  origin: string;
  key: string;
  fromEnvironment: boolean;
}

export type AddressSetting = 'relay.baseUrl' | 'platform.baseUrl';

/** The settings that connections follow. */
export interface ConnectionSettings {
  get(name: AddressSetting): string;
  get(name: 'relay.headers'): Readonly<Record<string, string>>;
  set(name: AddressSetting, value: string): Promise<void>;
  onDidChange: Event<(name: AddressSetting | 'relay.headers') => boolean>;
}

/** Where one kind of server is configured. */
export interface ServerPlaces<A extends ServerAccess> {
  keyKind: KeyKind;
  addressSetting: AddressSetting;
  /** Settings that count beside the address. */
  otherSettings: readonly 'relay.headers'[];
  /** Names of variables of the extension host's environment. */
  environmentUrl: string;
  environmentKey: string;
  complete(access: ServerAccess): A | Promise<A>;
}

/** Follows settings, secrets and the environment, and knows which server of its kind is connected now. */
export class ServerConnections<A extends ServerAccess> implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changes = new Emitter<void>();
  /** Fires when another server, another key or other settings of it are in force. */
  readonly onDidChange = this.changes.event;

  private access: A | undefined;
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
    this.ready = this.refresh();
  }

  /** The connected server, or undefined when there is no address or no key for it. */
  get current(): A | undefined {
    return this.access;
  }

  /** The address in force, connected or not: what was typed, else the environment's. */
  get baseUrl(): string | undefined {
    const normal = normaliseAddress(this.settings.get(this.places.addressSetting) || this.environmentUrl);
    return 'baseUrl' in normal ? normal.baseUrl : undefined;
  }

  /** What would be in force with this address and key. */
  accessFor(typed: { baseUrl: string; origin: string; key: string }): A | Promise<A> {
    return this.places.complete({ ...typed, fromEnvironment: false });
  }

  /** Puts a server in force that the user typed. */
  async save({ baseUrl, origin, key }: A): Promise<void> {
    await this.keys.set({ kind: this.places.keyKind, origin }, key);
    await this.settings.set(this.places.addressSetting, baseUrl);
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const turn = ++this.newest;
    const access = await this.resolve();
    // A slower, older look must not overwrite what a newer one found.
    if (turn !== this.newest || JSON.stringify(access) === JSON.stringify(this.access)) return;
    this.access = access;
    this.changes.fire();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async resolve(): Promise<A | undefined> {
    const { baseUrl } = this;
    if (!baseUrl) return undefined;
    const { origin } = new URL(baseUrl);
    const stored = await this.keys.get({ kind: this.places.keyKind, origin });
    const key = stored ?? this.environmentKey(origin);
    return key ? this.places.complete({ baseUrl, origin, key, fromEnvironment: !stored }) : undefined;
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
