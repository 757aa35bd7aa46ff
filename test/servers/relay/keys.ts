/** What is wrong with a key, as far as the relay is concerned. */
export type KeyState =
  | 'good'
  | 'disabled'
  | 'expired'
  | 'exhausted'
  | 'banned'
  | 'ip'
  | 'group'
  | 'no-balance'
  | 'low-balance'
  | 'low-token-quota'
  | 'no-channel';

/** A token of the relay. */
export interface RelayToken {
  readonly state: KeyState;
  /** Raw quota units, 500,000 to the dollar: what was granted and what is gone. Unlimited without. */
  readonly quota?: { readonly granted: number; readonly used: number };
  /** Unix seconds; 0 or nothing means never. */
  readonly expiresAt?: number;
  /** Only these models; without it, all. */
  readonly models?: readonly string[];
}

/** The relay's keys by what they are good for. `unknown` is the one it has never heard of. */
export const relayKeys = {
  good: 'sk-sandboxgood',
  unknown: 'sk-sandboxunknown',
  disabled: 'sk-sandboxdisabled',
  expired: 'sk-sandboxexpired',
  /** The token's own quota is used up. */
  exhausted: 'sk-sandboxexhausted',
  /** Its group was removed. */
  wrongGroup: 'sk-sandboxwronggroup',
  /** The user is banned. */
  banned: 'sk-sandboxbanned',
  ipNotAllowed: 'sk-sandboxipnotallowed',
  /** May use `scripted-echo` and nothing else. */
  oneModel: 'sk-sandboxonemodel',
  /** Has an allow-list, and it is empty. */
  noModels: 'sk-sandboxnomodels',
  /** The account's balance is zero. */
  noBalance: 'sk-sandboxnobalance',
  /** The balance does not cover a large `max_tokens`: up to 1,000 tokens pass. */
  lowBalance: 'sk-sandboxlowbalance',
  /** The token's quota does not cover a large `max_tokens`: up to 1,000 tokens pass. */
  lowTokenQuota: 'sk-sandboxlowtokenquota',
  /** Lists models but has no channel for any of them. */
  noChannel: 'sk-sandboxnochannel',
} as const;

export type RelayKeyName = keyof typeof relayKeys;

const tokens = new Map<string, RelayToken>([
  [relayKeys.good, { state: 'good', quota: { granted: 6_250_000, used: 1_585_000 } }],
  [relayKeys.disabled, { state: 'disabled' }],
  [relayKeys.expired, { state: 'expired', expiresAt: 1767225600 }],
  [relayKeys.exhausted, { state: 'exhausted', quota: { granted: 500_000, used: 500_000 } }],
  [relayKeys.wrongGroup, { state: 'group' }],
  [relayKeys.banned, { state: 'banned' }],
  [relayKeys.ipNotAllowed, { state: 'ip' }],
  [relayKeys.oneModel, { state: 'good', models: ['scripted-echo'] }],
  [relayKeys.noModels, { state: 'good', models: [] }],
  [relayKeys.noBalance, { state: 'no-balance' }],
  [relayKeys.lowBalance, { state: 'low-balance' }],
  [relayKeys.lowTokenQuota, { state: 'low-token-quota' }],
  [relayKeys.noChannel, { state: 'no-channel' }],
]);

/** The token behind a key, which must be whole. */
export function findToken(key: string): RelayToken | undefined {
  return tokens.get(key);
}
