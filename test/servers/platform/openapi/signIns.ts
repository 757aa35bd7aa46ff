import { randomUUID } from 'node:crypto';
import { account as owner } from '../wireParts.ts';

/** The account that signs in owns the workspace of the keys. */
export const account = {
  id: owner,
  email: 'admin@example.com',
  name: 'admin',
};

/** The only client that servers know unless their administrator adds others. */
export const knownClient = 'difyctl';

interface DeviceCode {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly client: string;
  readonly label: string;
  readonly expiresAt: number;
  lastPoll: number | undefined;
  state: 'pending' | 'approved' | 'denied' | 'used';
}

export interface Session {
  readonly id: string;
  readonly token: string;
  readonly client: string;
  readonly label: string;
  readonly createdAt: number;
  expiresAt: number;
}

export interface SignInLimits {
  readonly pollSeconds: number;
  readonly codeSeconds: number;
  readonly sessionDays: number;
  readonly requestsPerMinute: number;
}

/** Codes shown by devices, and the tokens they were exchanged for. Times in ms since the epoch. */
export class SignIns {
  readonly #codes: DeviceCode[] = [];
  readonly sessions: Session[] = [];
  readonly #requests = new Map<string, number[]>();

  constructor(
    readonly limits: SignInLimits,
    private readonly now: () => number,
  ) {}

  start(client: string, label: string): DeviceCode {
    const letters = 'BCDFGHJKLMNPQRSTVWXZ';
    const pick = () => letters[Math.floor(Math.random() * letters.length)];
    const code: DeviceCode = {
      deviceCode: `dc_${randomUUID().replaceAll('-', '')}`,
      userCode: `${pick()}${pick()}${pick()}${pick()}-${pick()}${pick()}${pick()}${pick()}`,
      ...{ client, label, expiresAt: this.now() + this.limits.codeSeconds * 1000 },
      ...{ lastPoll: undefined, state: 'pending' },
    };
    this.#codes.push(code);
    return code;
  }

  get newest(): DeviceCode | undefined {
    return this.#codes.at(-1);
  }

  find(userCode: string): DeviceCode | undefined {
    return this.#codes.find((code) => code.userCode === userCode && this.#isAlive(code));
  }

  /** Every poll counts, even one that came too soon. */
  poll(deviceCode: string, client: string): Session | string {
    const code = this.#codes.find((each) => each.deviceCode === deviceCode && each.client === client);
    if (!code || !this.#isAlive(code)) return 'expired_token';
    const before = code.lastPoll;
    code.lastPoll = this.now();
    if (before !== undefined && code.lastPoll - before < this.limits.pollSeconds * 1000) return 'slow_down';
    if (code.state === 'pending') return 'authorization_pending';
    const isApproved = code.state === 'approved';
    code.state = 'used';
    return isApproved ? this.open(code.client, code.label) : 'access_denied';
  }

  sessionOf(token: string): Session | undefined {
    return this.sessions.find((session) => session.token === token && session.expiresAt > this.now());
  }

  revoke(session: Session): void {
    this.sessions.splice(this.sessions.indexOf(session), 1);
  }

  /** Counts a request; returns the seconds to wait beyond the limit of a minute. */
  count({ token }: Session): number | undefined {
    const now = this.now();
    const recent = (this.#requests.get(token) ?? []).filter((time) => time > now - 60_000);
    const [oldest = now] = recent;
    const isTooMany = recent.length >= this.limits.requestsPerMinute;
    this.#requests.set(token, isTooMany ? recent : [...recent, now]);
    return isTooMany ? Math.max(1, Math.ceil((oldest + 60_000 - now) / 1000)) : undefined;
  }

  #isAlive({ state, expiresAt }: DeviceCode): boolean {
    return state !== 'used' && expiresAt > this.now();
  }

  /** A repeated label ends the previous sign-in (recorded). */
  open(client: string, label: string): Session {
    const other = this.sessions.find((each) => each.client === client && each.label === label);
    if (other) this.revoke(other);
    const createdAt = this.now();
    const session: Session = {
      ...{ id: randomUUID(), token: `dfoa_${randomUUID().replaceAll('-', '')}`, client, label, createdAt },
      expiresAt: createdAt + this.limits.sessionDays * 24 * 60 * 60 * 1000,
    };
    this.sessions.push(session);
    return session;
  }
}
