import * as l10n from '@vscode/l10n';
import { type Address, isUnencrypted, normaliseAddress } from '../base/address.ts';
import { asText, readObject, type JsonObject } from '../base/json.ts';
import { checkKey } from '../base/key.ts';
import { percentDecoded } from '../base/percentDecoded.ts';

/** A relay as its console hands it over: an address with a key, or why it cannot be used. */
export type GivenConnection = (Address & { key: string }) | { problem: string };

const addressNames = ['address', 'url', 'server', 'domain', 'baseUrl'];
const keyNames = ['key', 'token', 'apiKey'];
const linkPath = /^[a-z][a-z0-9+.-]*:\/\/switchboard\.switchboard\/connect\/?\?(.*)$/is;
/** More than any console writes. */
const longest = 20_000;

/**
 * Reads what the console of a relay copies or links to: our own link, the JSON of new-api's "copy connection", and
 * links to chat clients that carry `settings={…}`. Undefined for any other text.
 */
export function readPastedConnection(text: string): GivenConnection | undefined {
  const pasted = text.trim();
  if (pasted.length > longest) return undefined;
  const query = linkPath.exec(pasted)?.[1];
  if (query !== undefined) return readLinkQuery(percentDecoded(query));
  const settings = /^https?:\/\/.*[?&]settings=(.*)$/is.exec(pasted)?.[1];
  const object = readObject(settings === undefined ? pasted : percentDecoded(settings));
  return object && fromObject(object);
}

/**
 * Reads the query of our own link: `address=…&key=…`, or `v=1&data=…` with JSON in base64.
 * @param query decoded, as the editor gives it: values may have `&` and `+` of their own
 */
export function readLinkQuery(query: string): GivenConnection {
  const values = parametersOf(query.slice(0, longest));
  const data = values.get('data');
  const object = data === undefined ? Object.fromEntries(values) : readObject(fromBase64(data));
  const given = object && fromObject(object);
  if (!given)
    return { problem: l10n.t('The link has no address and key. Copy it again from your provider.') };
  if ('problem' in given || !isUnencrypted(given)) return given;
  return {
    problem: l10n.t('The link leads to {0}, which is not encrypted, so it is not used.', given.origin),
  };
}

function fromObject(object: JsonObject): GivenConnection | undefined {
  const address = firstOf(object, addressNames);
  const key = firstOf(object, keyNames);
  if (address === undefined || key === undefined) return undefined;
  const place = normaliseAddress(address);
  if ('problem' in place) return place;
  const checked = checkKey(key, 'relay');
  return 'problem' in checked ? checked : { ...place, key: checked.key };
}

/** A console that does not know one of its own blanks leaves it in the link as it is: `{key}`. */
const unfilled = /^\{\w*\}$/;

function firstOf(object: JsonObject, names: readonly string[]): string | undefined {
  const values = names.map((name) => asText(object[name]));
  return values.find((value) => value !== undefined && !unfilled.test(value));
}

/** Each value goes on to the next name that we know, since what is in it is decoded already. */
function parametersOf(query: string): Map<string, string> {
  const names = [...addressNames, ...keyNames, 'v', 'data'].join('|');
  const parts = query.split(new RegExp(`(?:^|&)(${names})=`));
  const values = new Map<string, string>();
  for (let at = 1; at + 1 < parts.length; at += 2) values.set(parts[at] ?? '', parts[at + 1] ?? '');
  return values;
}

/** Also the form for addresses, and with spaces where a plus sign was taken for one. */
function fromBase64(text: string): string {
  return Buffer.from(text.replaceAll(' ', '+'), 'base64').toString('utf8');
}

/** Enough of a key to know it by. */
export function maskedKey(key: string): string {
  return key.length < 12 ? '***' : `${key.slice(0, 3)}…${key.slice(-4)}`;
}
