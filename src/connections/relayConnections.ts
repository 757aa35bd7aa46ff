import { withSecrets } from '../relay/headers.ts';
import { hostOf } from '../relay/relayModelId.ts';
import type { RelayEntry } from '../relay/relayEntry.ts';
import type { KeyStore } from './keyStore.ts';
import {
  type ConnectionSettings,
  type KnownAddress,
  type ServerAccess,
  ServerConnections,
  type TypedServer,
} from './serverConnections.ts';
import { networkOrigin, placeBeside, readPlace, writePlace } from './serverPlace.ts';

/** A relay that can be called. */
export interface RelayAccess extends ServerAccess {
  /** What the user calls it; its host, if nothing else. */
  name: string;
  /** Extra headers from settings. */
  headers: Readonly<Record<string, string>>;
  headerSecrets: readonly string[];
}

/** A relay as settings have it, whether there is a key for it or not. */
export interface KnownRelay extends KnownAddress {
  name: string;
  headers: Readonly<Record<string, string>>;
}

/** Where a relay comes from that the user is asked about, and goes to. */
export interface RelayPlace {
  /** The address that is proposed. */
  readonly baseUrl: string | undefined;
  accessFor(typed: TypedServer): Promise<RelayAccess>;
  /** @returns under which origin it is known now */
  save(typed: TypedServer): Promise<string>;
}

/**
 * Knows which relays are connected now: that of `relay.baseUrl`, and those of `relay.connections`. Relays are told apart
 * by their origins, for which their keys were given; an entry with the origin of `relay.baseUrl` names that one. One server with several keys
 * is as many relays, whose origins have a number: see `readPlace`.
 */
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
          return {
            ...{ ...access, name },
            ...(await withSecrets(headers, (secret) =>
              relayKeys.get({ kind: `header:${secret}`, origin: access.origin }),
            )),
          };
        },
      },
      relaySettings,
      relayKeys,
      environment,
    );
  }

  /** All relays that settings have, that of `relay.baseUrl` first. */
  get known(): readonly KnownRelay[] {
    return this.addresses.map((each) => ({
      ...each,
      ...describe(this.relaySettings, each.origin, each.isDefault),
    }));
  }

  /**
   * A relay that is to be changed, or one that is to be added, if none is given. What has the origin of a known one
   * becomes that one. The first is that of `relay.baseUrl`.
   */
  place(changed?: KnownRelay): RelayPlace {
    // Another address or key of the same server is of the same connection.
    const placed = (typed: TypedServer): TypedServer =>
      changed && networkOrigin(changed.origin) === typed.origin
        ? { ...typed, origin: changed.origin }
        : typed;
    const isDefault = changed?.isDefault ?? this.baseUrl === undefined;
    if (isDefault) {
      // What belongs to the relay of one origin is not for that of another.
      const isSame = ({ origin }: TypedServer) => !changed || changed.origin === origin;
      return {
        baseUrl: this.baseUrl,
        accessFor: async (typed) => this.accessFor(placed(typed), isSame(placed(typed))),
        save: async (typed) => {
          const server = placed(typed);
          if (!isSame(server)) await this.clearHeaders();
          await this.save(server);
          // What was only said of the relay that was here would connect it besides this one.
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

  /**
   * Connects a server that is connected already by another key too, as a relay of its own.
   * @returns under which origin it is known now
   */
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
      // What belongs to the relay of one origin is not for that of another.
      ...(entry && originOf(entry) === server.origin && entry),
      baseUrl: writePlace(server),
    }));
  }

  /** Calls a relay by a name; by its host again, if the name is empty. */
  rename(relay: KnownRelay, name: string): Promise<void> {
    return this.write(relay.origin, ({ name: _old, ...entry } = { baseUrl: writePlace(relay) }) => ({
      ...entry,
      ...(name && { name }),
    }));
  }

  /**
   * Puts a relay into the place of that of `relay.baseUrl`, which stays connected besides it. Keys are stored by origins, and
   * stay where they are; headers stay with the relay that they were given for.
   */
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

  /** Forgets a relay with its key. */
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

  /** Those of `relay.headers`, which are for the relay of `relay.baseUrl` alone. */
  private async clearHeaders(): Promise<void> {
    if (Object.keys(this.relaySettings.get('relay.headers')).length > 0)
      await this.relaySettings.set('relay.headers', {});
  }

  /** Puts what `change` makes of the entry with an origin in its place, or at the end where there is none. */
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
    // The origin may be one that another entry has.
    const isFirst = (entry: RelayEntry, place: number) =>
      written.findIndex((other) => originOf(other) === originOf(entry)) === place;
    await this.relaySettings.set('relay.connections', written.filter(isFirst));
    await this.refresh();
  }
}

function originOf({ baseUrl }: RelayEntry): string | undefined {
  return readPlace(baseUrl)?.origin;
}

/** What settings say of the relay of an origin. The headers of `relay.headers` are for that of `relay.baseUrl` alone. */
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
