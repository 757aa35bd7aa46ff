import { normaliseAddress } from '../base/address.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { KeyStore } from './keyStore.ts';
import type { Settings } from './settings.ts';

/** A relay that can be called: an address, and the key that was given for its origin. */
export interface RelayAccess {
  /** Without `/v1` and without a trailing slash. */
  baseUrl: string;
  origin: string;
  key: string;
  /** Extra headers from settings. */
  headers: Record<string, string>;
  fromEnvironment: boolean;
}

/** Follows settings, secrets and the environment, and knows which relay is connected now. */
export class RelayConnections implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changes = new Emitter<void>();
  /** Fires when another relay, another key or other headers are in force. */
  readonly onDidChange = this.changes.event;

  private access: RelayAccess | undefined;
  private newest = 0;
  /** Resolves when the first look was taken. */
  readonly ready: Promise<void>;

  constructor(
    private readonly settings: Settings,
    private readonly keys: KeyStore,
    private readonly environment: NodeJS.ProcessEnv,
  ) {
    this.disposables.add(keys.onDidChange(() => void this.refresh()));
    this.disposables.add(
      settings.onDidChange((changed) => {
        if (changed('relay.baseUrl') || changed('relay.headers')) void this.refresh();
      }),
    );
    this.ready = this.refresh();
  }

  /** The connected relay, or undefined when there is no address or no key for it. */
  get current(): RelayAccess | undefined {
    return this.access;
  }

  /** The address in force, connected or not: what was typed, else the environment's. */
  get baseUrl(): string | undefined {
    const normal = normaliseAddress(this.settings.get('relay.baseUrl') || this.environmentUrl);
    return 'baseUrl' in normal ? normal.baseUrl : undefined;
  }

  async refresh(): Promise<void> {
    const turn = ++this.newest;
    const access = await this.resolve();
    // A slower, older look must not overwrite what a newer one found.
    if (turn !== this.newest || same(access, this.access)) return;
    this.access = access;
    this.changes.fire();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async resolve(): Promise<RelayAccess | undefined> {
    const { baseUrl } = this;
    if (!baseUrl) return undefined;
    const { origin } = new URL(baseUrl);
    const headers = this.settings.get('relay.headers');
    const stored = await this.keys.get({ kind: 'relay', origin });
    if (stored) return { baseUrl, origin, key: stored, headers, fromEnvironment: false };
    const given = this.environmentKey(origin);
    return given ? { baseUrl, origin, key: given, headers, fromEnvironment: true } : undefined;
  }

  private get environmentUrl(): string {
    return this.environment['SWITCHBOARD_RELAY_URL'] ?? '';
  }

  /** The environment's key is for the environment's address alone. */
  private environmentKey(origin: string): string | undefined {
    const normal = normaliseAddress(this.environmentUrl);
    return 'origin' in normal && normal.origin === origin
      ? this.environment['SWITCHBOARD_RELAY_KEY']?.trim() || undefined
      : undefined;
  }
}

function same(a: RelayAccess | undefined, b: RelayAccess | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
