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

export interface RelayToken {
  readonly state: KeyState;
  /** Raw quota units, 500,000 to the dollar. Unlimited without. */
  readonly quota?: { readonly granted: number; readonly used: number };
  /** In Unix seconds; 0 or absent means never. */
  readonly expiresAt?: number;
  /** Allowed models; all if absent. */
  readonly models?: readonly string[];
}

/** The relay's keys by their state. `unknown` is not registered. */
export const relayKeys = {
  good: 'sk-sandboxgood',
  unknown: 'sk-sandboxunknown',
  disabled: 'sk-sandboxdisabled',
  expired: 'sk-sandboxexpired',
  /** The token's own quota is used up. */
  exhausted: 'sk-sandboxexhausted',
  /** The token's group was removed. */
  wrongGroup: 'sk-sandboxwronggroup',
  banned: 'sk-sandboxbanned',
  ipNotAllowed: 'sk-sandboxipnotallowed',
  /** May use `scripted-echo` only. */
  oneModel: 'sk-sandboxonemodel',
  /** Has an empty allow-list. */
  noModels: 'sk-sandboxnomodels',
  noBalance: 'sk-sandboxnobalance',
  /** The balance doesn't cover a large `max_tokens`: up to 1,000 tokens pass. */
  lowBalance: 'sk-sandboxlowbalance',
  /** The token's quota doesn't cover a large `max_tokens`: up to 1,000 tokens pass. */
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

export function findToken(key: string): RelayToken | undefined {
  return tokens.get(key);
}
