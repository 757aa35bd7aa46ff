export interface ConnectedRelays<A extends { origin: string }> {
  readonly current: A | undefined;
  readonly all: readonly A[];
}

export interface PlacedModel<A> {
  id: string;
  origin: string | undefined;
  access: A | undefined;
}

const pattern = /^relay:(https?:\/\/[^/\s]+)\/(.+)$/s;

/** Keys are stored by origin, too, so renaming a connection can't send a conversation to another server. */
export function relayModelId(current: { origin: string } | undefined, origin: string, id: string): string {
  return origin === current?.origin ? id : `relay:${origin}/${id}`;
}

export function hostOf(origin: string): string {
  const { host, hash } = new URL(origin);
  return hash ? `${host} (${hash.slice(1)})` : host;
}

export function readModelId(modelId: string): { origin: string | undefined; id: string } {
  const [, origin, id = modelId] = pattern.exec(modelId) ?? [];
  return { origin, id };
}

export function placeOf<A extends { origin: string }>(
  { current, all }: ConnectedRelays<A>,
  modelId: string,
): PlacedModel<A> {
  const { origin = current?.origin, id } = readModelId(modelId);
  return { id, origin, access: all.find((access) => access.origin === origin) };
}
