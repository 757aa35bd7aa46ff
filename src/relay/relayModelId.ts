/** The relays that are connected: the one of `relay.baseUrl`, if it is, and all of them. */
export interface ConnectedRelays<A extends { origin: string }> {
  readonly current: A | undefined;
  readonly all: readonly A[];
}

/** A model of one of several relays, as its relay calls it. */
export interface PlacedModel<A> {
  id: string;
  /** Of its relay; undefined for the relay of `relay.baseUrl` while that is not connected. */
  origin: string | undefined;
  /** Undefined while its relay is not connected. */
  access: A | undefined;
}

const pattern = /^relay:(https?:\/\/[^/\s]+)\/(.+)$/s;

/**
 * Conversations, the model picker and the settings name a model by one text: its id, where the relay of `relay.baseUrl`
 * serves it; else `relay:`, the origin of its relay, a slash and its id. The origin is what keys are stored under, too,
 * so that no other name of a connection can lead a conversation to another server.
 */
export function relayModelId(current: { origin: string } | undefined, origin: string, id: string): string {
  return origin === current?.origin ? id : `relay:${origin}/${id}`;
}

/** What a relay is called that was given no name. Of several with one address, all but the first have a number. */
export function hostOf(origin: string): string {
  const { host, hash } = new URL(origin);
  return hash ? `${host} (${hash.slice(1)})` : host;
}

/** The origin that a model's id names, if it names one, and the id without it. */
export function readModelId(modelId: string): { origin: string | undefined; id: string } {
  const [, origin, id = modelId] = pattern.exec(modelId) ?? [];
  return { origin, id };
}

/** Which relay a model's id stands for, and for which of its models. */
export function placeOf<A extends { origin: string }>(
  { current, all }: ConnectedRelays<A>,
  modelId: string,
): PlacedModel<A> {
  const { origin = current?.origin, id } = readModelId(modelId);
  return { id, origin, access: all.find((access) => access.origin === origin) };
}
