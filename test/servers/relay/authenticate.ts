import type { Dialect, GateCase } from '../dialects/dialect.ts';
import type { RecordedRequest } from '../http/recordedRequest.ts';
import { findToken, type RelayToken } from './keys.ts';
import { assertNever } from '../../../src/base/errors/errors.ts';

export type Authentication = { token: RelayToken } | { refused: GateCase };

/** Reads the key with the relay's leniency, and checks the token's state in its order. */
export function authenticate(request: RecordedRequest, dialect: Dialect): Authentication {
  const sent = sentKey(request);
  if (!sent) return { refused: 'no-key' };
  if (!dialect.lenientKeys) {
    const token = sent.startsWith('Bearer ') ? findToken(sent.slice('Bearer '.length)) : undefined;
    return token ? checkState(token) : { refused: 'unknown-key' };
  }
  const bare = sent
    .replace(/^bearer /i, '')
    .trim()
    .replace(/^sk-/, '');
  // The text after a dash asks for a channel, which only administrators may choose.
  const [secret = '', ...suffix] = bare.split('-');
  const token = findToken(`sk-${secret}`);
  if (!token) return { refused: secret ? 'unknown-key' : 'no-key' };
  const state = checkState(token);
  return 'token' in state && suffix.length > 0 ? { refused: 'key-suffix' } : state;
}

/** On paths shared with other protocols, their header wins. */
function sentKey({ headers, path }: RecordedRequest): string | undefined {
  const apiKey = headers['x-api-key'];
  const isShared = path.includes('/v1/messages') || path.includes('/v1/models');
  return isShared && typeof apiKey === 'string' ? `Bearer ${apiKey}` : headers.authorization;
}

function checkState(token: RelayToken): Authentication {
  switch (token.state) {
    case 'disabled':
    case 'expired':
    case 'exhausted':
    case 'ip':
    case 'banned':
    case 'group':
      return { refused: token.state };
    case 'good':
    case 'no-balance':
    case 'low-balance':
    case 'low-token-quota':
    case 'no-channel':
      return { token };
    default:
      return assertNever(token.state);
  }
}
