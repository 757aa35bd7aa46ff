import type { RelayEntry } from '../relay/headers.ts';
import { hostOf } from '../relay/relayModelId.ts';
import type { KeyStore } from './keyStore.ts';
import {
  type ConnectionSettings,
  type KnownAddress,
  type ServerAccess,
  ServerConnections,
  type TypedServer,
} from './serverConnections.ts';
import { networkOrigin, placeBeside, readPlace, writePlace } from './serverPlace.ts';

export interface RelayAccess extends ServerAccess {
  name: string;
  headers: Readonly<Record<string, string>>;
  headerSecrets: readonly string[];
}

export interface KnownRelay extends KnownAddress {
  name: string;
  headers: Readonly<Record<string, string>>;
}

export interface RelayPlace {
  readonly baseUrl: string | undefined;
  accessFor(typed: TypedServer): Promise<RelayAccess>;
  save(typed: TypedServer): Promise<string>;
}

/** Relays are identified by origin. An entry with the origin of `relay.baseUrl` only names that relay. */
export class RelayConnections extends ServerConnections<RelayAccess> {
  constructor(
    private readonly relaySettings: ConnectionSettings,
    private readonly relayKeys: KeyStore,
    environment: NodeJS.ProcessEnv,
  ) {
    super(
      {
        keyKind: 'relay',
        addressSetting: 'relay.baseUrl',
        otherSettings: ['relay.headers', 'relay.connections'],
        environmentUrl: 'SWITCHBOARD_RELAY_URL',
        environmentKey: 'SWITCHBOARD_RELAY_KEY',
        further: () => relaySettings.get('relay.connections').map(({ baseUrl }) => baseUrl),
        complete: async (access, isDefault) => {
          const { name, headers } = describe(relaySettings, access.origin, isDefault);
          if (Object.keys(headers).length === 0) return { ...access, name, headers, headerSecrets: [] };
          const { withSecrets } = await import('../relay/headers.ts');
          const filled = await withSecrets(headers, (secret) =>
            relayKeys.get({ kind: `header:${secret}`, origin: access.origin }),
          );
          return { ...access, name, ...filled };
        },
      },
      relaySettings,
      relayKeys,
      environment,
    );
  }

  get known(): readonly KnownRelay[] {
    return this.addresses.map((each) => ({
      ...each,
      ...describe(this.relaySettings, each.origin, each.isDefault),
    }));
  }

  /** Edits the relay of a known origin, else adds one. The first relay becomes `relay.baseUrl`. */
  place(changed?: KnownRelay): RelayPlace {
    // Another address or key of the same server edits the same connection.
    const placed = (typed: TypedServer): TypedServer =>
      changed && networkOrigin(changed.origin) === typed.origin
        ? { ...typed, origin: changed.origin }
        : typed;
    const isDefault = changed?.isDefault ?? this.baseUrl === undefined;
    if (isDefault) {
      // Headers and prices of one origin do not carry over to another.
      const isSame = ({ origin }: TypedServer) => !changed || changed.origin === origin;
      return {
        baseUrl: this.baseUrl,
        accessFor: async (typed) => this.accessFor(placed(typed), isSame(placed(typed))),
        save: async (typed) => {
          const server = placed(typed);
          if (!isSame(server)) await this.clearHeaders();
          await this.save(server);
          // An entry that only named this relay would otherwise connect its old origin as an additional one.
          if (changed && !isSame(server)) await this.write(changed.origin, () => undefined);
          return server.origin;
        },
      };
    }
    const isOfDefault = ({ origin }: TypedServer) =>
      this.known.some((known) => known.isDefault && known.origin === origin);
    return {
      baseUrl: changed?.baseUrl,
      accessFor: async (typed) => this.accessFor(placed(typed), isOfDefault(placed(typed))),
      save: async (typed) => {
        const server = placed(typed);
        if (isOfDefault(server)) await this.save(server);
        else await this.saveFurther(server, changed?.origin);
        return server.origin;
      },
    };
  }

  /** Connects a server with another key, as an additional relay. Returns its new origin. */
  async saveBeside(typed: TypedServer): Promise<string> {
    const { origin } = placeBeside(
      typed,
      this.known.map((known) => known.origin),
    );
    await this.saveFurther({ ...typed, origin });
    return origin;
  }

  private async saveFurther(server: TypedServer, changedOrigin = server.origin): Promise<void> {
    await this.relayKeys.set({ kind: 'relay', origin: server.origin }, server.key);
    await this.write(changedOrigin, (entry) => ({
      ...(entry && originOf(entry) === server.origin && entry),
      baseUrl: writePlace(server),
    }));
  }

  rename(relay: KnownRelay, name: string): Promise<void> {
    return this.write(relay.origin, ({ name: _old, ...entry } = { baseUrl: writePlace(relay) }) => ({
      ...entry,
      ...(name && { name }),
    }));
  }

  /** The previous default stays connected. Keys stay with their origins, headers with their relays. */
  async makeDefault(relay: KnownRelay): Promise<void> {
    if (relay.isDefault) return;
    const left = this.known.find((known) => known.isDefault);
    if (left) {
      const { headers } = left;
      await this.write(left.origin, (entry) => ({
        ...{ ...entry, baseUrl: writePlace(left) },
        ...(Object.keys(headers).length > 0 && { headers }),
      }));
    }
    await this.clearHeaders();
    await this.relaySettings.set('relay.baseUrl', writePlace(relay));
    await this.refresh();
  }

  async remove({ origin, isDefault }: KnownRelay): Promise<void> {
    await this.write(origin, () => undefined);
    if (isDefault) {
      await this.clearHeaders();
      await this.relaySettings.set('relay.baseUrl', '');
    }
    for (const slot of await this.relayKeys.list()) {
      const isOfRelay = slot.kind === 'relay' || slot.kind.startsWith('header:');
      if (isOfRelay && slot.origin === origin) await this.relayKeys.forget(slot);
    }
    await this.refresh();
  }

  private async clearHeaders(): Promise<void> {
    if (Object.keys(this.relaySettings.get('relay.headers')).length > 0)
      await this.relaySettings.set('relay.headers', {});
  }

  private async write(
    origin: string,
    change: (entry: RelayEntry | undefined) => RelayEntry | undefined,
  ): Promise<void> {
    const entries = this.relaySettings.get('relay.connections');
    const at = entries.findIndex((entry) => originOf(entry) === origin);
    const changed = change(entries[at]);
    if (!changed && at < 0) return;
    const index = at < 0 ? entries.length : at;
    const written = entries.toSpliced(index, 1, ...(changed ? [changed] : []));
    // The new origin may already have an entry.
    const isFirst = (entry: RelayEntry, place: number) =>
      written.findIndex((other) => originOf(other) === originOf(entry)) === place;
    await this.relaySettings.set('relay.connections', written.filter(isFirst));
    await this.refresh();
  }
}

function originOf({ baseUrl }: RelayEntry): string | undefined {
  return readPlace(baseUrl)?.origin;
}

/** Settings of an origin's relay. `relay.headers` apply to `relay.baseUrl` only. */
function describe(
  settings: ConnectionSettings,
  origin: string,
  isDefault: boolean,
): Pick<KnownRelay, 'name' | 'headers'> {
  const entry = settings.get('relay.connections').find((each) => originOf(each) === origin);
  return {
    name: entry?.name?.trim() || hostOf(origin),
    headers: { ...(isDefault && settings.get('relay.headers')), ...entry?.headers },
  };
}
