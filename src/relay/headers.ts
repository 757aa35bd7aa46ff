import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors/errors.ts';

export interface RelayConnection {
  baseUrl: string;
  key: string;
  headers: Readonly<Record<string, string>>;
  headerSecrets?: readonly string[];
}

export interface RelayEntry {
  baseUrl: string;
  name?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

export function secretsOf({
  key,
  headerSecrets = [],
}: Pick<RelayConnection, 'key' | 'headerSecrets'>): string[] {
  return [key, ...headerSecrets];
}

/** Set by the client itself, or by the connection. */
const reserved = new Set([
  'authorization',
  'content-type',
  'content-length',
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-authorization',
]);

/** User headers never replace the key or the content type. Names in lower case. */
export function requestHeaders(
  { key, headers }: Pick<RelayConnection, 'key' | 'headers'>,
  options: { accept: string; hasBody: boolean },
): Record<string, string> {
  const merged: Record<string, string> = { 'user-agent': 'Switchboard', accept: options.accept };
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.trim().toLowerCase();
    if (reserved.has(lower)) continue;
    const missing = secretsNamedIn(value)[0];
    if (missing !== undefined) {
      throw new SwitchboardError(
        'settings',
        l10n.t(
          'The header "{0}" needs the secret "{1}", which has no value for this relay. Set it with "Switchboard: Set Header Secret…".',
          name,
          missing,
        ),
      );
    }
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower) || !/^[\t\x20-\x7E\x80-\xFF]*$/.test(value)) {
      throw new SwitchboardError(
        'settings',
        l10n.t(
          'The header "{0}" of the setting "switchboard.relay.headers" can\'t be sent: its name or value contains an invalid character.',
          name,
        ),
      );
    }
    merged[lower] = value;
  }
  merged['authorization'] = `Bearer ${key}`;
  if (options.hasBody) merged['content-type'] = 'application/json';
  return merged;
}

const secretReference = /\$\{secret:([\w.-]{1,100})\}/g;

export function secretsNamedIn(value: string): string[] {
  return [...value.matchAll(secretReference)].map(([, name = '']) => name);
}

/** Fills in secrets; a header with a missing one is not sent. */
export async function withSecrets(
  headers: Readonly<Record<string, string>>,
  valueOf: (name: string) => Promise<string | undefined>,
): Promise<Required<Pick<RelayConnection, 'headers' | 'headerSecrets'>>> {
  const names = [...new Set(Object.values(headers).flatMap(secretsNamedIn))];
  const values = new Map<string, string>();
  for (const name of names) {
    const value = await valueOf(name);
    if (value !== undefined) values.set(name, value);
  }
  const filled = Object.entries(headers).map(([header, value]) => [
    header,
    value.replace(secretReference, (reference, name: string) => values.get(name) ?? reference),
  ]);
  return {
    headers: Object.fromEntries(filled) as Record<string, string>,
    headerSecrets: [...values.values()],
  };
}
