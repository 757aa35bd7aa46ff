import type { Dialect, GateCase } from '../dialects/dialect.ts';
import type { RecordedRequest } from '../http/recordedRequest.ts';
import { findToken, type RelayToken } from './keys.ts';
import { assertNever } from '../../../src/base/errors/errors.ts';

/** The token of a request, or why there is none. */
export type Authentication = { token: RelayToken } | { refused: GateCase };

/** Reads the key as the relay does, with its leniencies, and checks the token's state in the relay's order. */
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
  // Everything after a dash is a wish for a certain channel, which only administrators may have.
  const [secret = '', ...suffix] = bare.split('-');
  const token = findToken(`sk-${secret}`);
  if (!token) return { refused: secret ? 'unknown-key' : 'no-key' };
  const state = checkState(token);
  return 'token' in state && suffix.length > 0 ? { refused: 'key-suffix' } : state;
}

/** On the paths that other protocols share, their header wins. */
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
