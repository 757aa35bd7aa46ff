import * as l10n from '@vscode/l10n';
import { type Address, isUnencrypted, normaliseAddress, percentDecoded } from '../base/address.ts';
import { asText, readObject, type JsonObject } from '../base/json.ts';
import { checkKey } from '../base/secrets/checkKey.ts';

export type GivenConnection = (Address & { key: string }) | { problem: string };

const addressNames = ['address', 'url', 'server', 'domain', 'baseUrl'];
const keyNames = ['key', 'token', 'apiKey'];
const linkPath = /^[a-z][a-z0-9+.-]*:\/\/switchboard\.switchboard\/connect\/?\?(.*)$/is;
/** Longer than any console writes. */
const longest = 20_000;

/** Parses our link, new-api's "copy connection" JSON and `settings={…}` links; undefined for any other text. */
export function readPastedConnection(text: string): GivenConnection | undefined {
  const pasted = text.trim();
  if (pasted.length > longest) return undefined;
  const query = linkPath.exec(pasted)?.[1];
  if (query !== undefined) return readLinkQuery(percentDecoded(query));
  const settings = /^https?:\/\/.*[?&]settings=(.*)$/is.exec(pasted)?.[1];
  const object = readObject(settings === undefined ? pasted : percentDecoded(settings));
  return object && fromObject(object);
}

/** Parses `address=…&key=…`, or `v=1&data=…` (base64 JSON). Already decoded, so values may contain `&` and `+`. */
export function readLinkQuery(query: string): GivenConnection {
  const values = parametersOf(query.slice(0, longest));
  const data = values.get('data');
  const object = data === undefined ? Object.fromEntries(values) : readObject(fromBase64(data));
  const given = object && fromObject(object);
  if (!given)
    return { problem: l10n.t('The link contains no address or key. Copy it again from your provider.') };
  if ('problem' in given || !isUnencrypted(given)) return given;
  return {
    problem: l10n.t("The link points to {0}, which isn't encrypted, so it wasn't used.", given.origin),
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

/** Consoles leave placeholders they don't know in the link: `{key}`. */
const unfilled = /^\{\w*\}$/;

function firstOf(object: JsonObject, names: readonly string[]): string | undefined {
  const values = names.map((name) => asText(object[name]));
  return values.find((value) => value !== undefined && !unfilled.test(value));
}

/** A value extends to the next known name, because it is already decoded. */
function parametersOf(query: string): Map<string, string> {
  const names = [...addressNames, ...keyNames, 'v', 'data'].join('|');
  const parts = query.split(new RegExp(`(?:^|&)(${names})=`));
  const values = new Map<string, string>();
  for (let at = 1; at + 1 < parts.length; at += 2) values.set(parts[at] ?? '', parts[at + 1] ?? '');
  return values;
}

/** Accepts base64url, and spaces in place of decoded plus signs. */
function fromBase64(text: string): string {
  return Buffer.from(text.replaceAll(' ', '+'), 'base64').toString('utf8');
}

export function maskedKey(key: string): string {
  return key.length < 12 ? '***' : `${key.slice(0, 3)}…${key.slice(-4)}`;
}
