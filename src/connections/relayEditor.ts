import type { RelayEntry } from '../relay/headers.ts';
import type { KeyStore } from './keyStore.ts';
import type { KnownRelay, RelayAccess, RelayConnections } from './relayConnections.ts';
import type { ConnectionSettings, TypedServer } from './serverConnections.ts';
import { networkOrigin, originOf, placeBeside, writePlace } from './serverPlace.ts';

export interface RelayPlace {
  readonly baseUrl: string | undefined;
  accessFor(typed: TypedServer): Promise<RelayAccess>;
  save(typed: TypedServer): Promise<string>;
}

export class RelayEditor {
  constructor(
    readonly relays: RelayConnections,
    private readonly settings: ConnectionSettings,
    private readonly keys: KeyStore,
  ) {}

  /** Edits the relay of a known origin, else adds one. The first relay becomes `relay.baseUrl`. */
  place(changed?: KnownRelay): RelayPlace {
    // Another address or key of the same server edits the same connection.
    const placed = (typed: TypedServer): TypedServer =>
      changed && networkOrigin(changed.origin) === typed.origin
        ? { ...typed, origin: changed.origin }
        : typed;
    const isDefault = changed?.isDefault ?? this.relays.baseUrl === undefined;
    if (isDefault) {
      // Headers and prices of one origin do not carry over to another.
      const isSame = ({ origin }: TypedServer) => !changed || changed.origin === origin;
      return {
        baseUrl: this.relays.baseUrl,
        accessFor: async (typed) => this.relays.accessFor(placed(typed), isSame(placed(typed))),
        save: async (typed) => {
          const server = placed(typed);
          if (!isSame(server)) await this.clearHeaders();
          await this.relays.save(server);
          // An entry that only named this relay would otherwise connect its old origin as an additional one.
          if (changed && !isSame(server)) await this.write(changed.origin, () => undefined);
          return server.origin;
        },
      };
    }
    const isOfDefault = ({ origin }: TypedServer) =>
      this.relays.known.some((known) => known.isDefault && known.origin === origin);
    return {
      baseUrl: changed?.baseUrl,
      accessFor: async (typed) => this.relays.accessFor(placed(typed), isOfDefault(placed(typed))),
      save: async (typed) => {
        const server = placed(typed);
        if (isOfDefault(server)) await this.relays.save(server);
        else await this.saveFurther(server, changed?.origin);
        return server.origin;
      },
    };
  }

  /** Like `place`. A new relay replaces a known one only while none is connected. */
  placeFor(origin: string): RelayPlace {
    const { known, all } = this.relays;
    return this.place(
      known.find((each) => each.origin === origin) ?? (all.length === 0 ? known[0] : undefined),
    );
  }

  /** Connects a server with another key, as an additional relay. Returns its new origin. */
  async saveBeside(typed: TypedServer): Promise<string> {
    const { origin } = placeBeside(
      typed,
      this.relays.known.map((known) => known.origin),
    );
    await this.saveFurther({ ...typed, origin });
    return origin;
  }

  private async saveFurther(server: TypedServer, changedOrigin = server.origin): Promise<void> {
    await this.keys.set({ kind: 'relay', origin: server.origin }, server.key);
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
    const left = this.relays.known.find((known) => known.isDefault);
    if (left) {
      const { headers } = left;
      await this.write(left.origin, (entry) => ({
        ...{ ...entry, baseUrl: writePlace(left) },
        ...(Object.keys(headers).length > 0 && { headers }),
      }));
    }
    await this.clearHeaders();
    await this.settings.set('relay.baseUrl', writePlace(relay));
    await this.relays.refresh();
  }

  async remove({ origin, isDefault }: KnownRelay): Promise<void> {
    await this.write(origin, () => undefined);
    if (isDefault) {
      await this.clearHeaders();
      await this.settings.set('relay.baseUrl', '');
    }
    for (const slot of await this.keys.list()) {
      const isOfRelay = slot.kind === 'relay' || slot.kind.startsWith('header:');
      if (isOfRelay && slot.origin === origin) await this.keys.forget(slot);
    }
    await this.relays.refresh();
  }

  private async clearHeaders(): Promise<void> {
    if (Object.keys(this.settings.get('relay.headers')).length > 0)
      await this.settings.set('relay.headers', {});
  }

  private async write(
    origin: string,
    change: (entry: RelayEntry | undefined) => RelayEntry | undefined,
  ): Promise<void> {
    const entries = this.settings.get('relay.connections');
    const at = entries.findIndex((entry) => originOf(entry) === origin);
    const changed = change(entries[at]);
    if (!changed && at < 0) return;
    const index = at < 0 ? entries.length : at;
    const written = entries.toSpliced(index, 1, ...(changed ? [changed] : []));
    // The new origin may already have an entry.
    const isFirst = (entry: RelayEntry, place: number) =>
      written.findIndex((other) => originOf(other) === originOf(entry)) === place;
    await this.settings.set('relay.connections', written.filter(isFirst));
    await this.relays.refresh();
  }
}
