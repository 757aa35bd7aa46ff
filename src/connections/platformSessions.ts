import * as z from 'zod/mini';
import { readObject } from '../base/json.ts';
import type { KeyStore } from './keyStore.ts';

const sessionSchema = z.object({
  /** Without `/v1` and without a trailing slash; the token is only ever sent to its origin. */
  baseUrl: z.string(),
  token: z.string(),
  expiresAtMs: z.number(),
  /** Unknown for sign-ins of earlier versions. */
  signedInAtMs: z.optional(z.number()),
  account: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  /** The workspace whose apps are listed; chosen here, since switching on the platform changes the console, too. */
  workspace: z.object({ id: z.string(), name: z.string() }),
});

/** A sign-in to a platform, which has the full rights of the account. */
export type PlatformSession = z.infer<typeof sessionSchema>;

export class PlatformSessions {
  constructor(private readonly keys: Pick<KeyStore, 'get' | 'set' | 'forget' | 'list'>) {}

  /** The sign-in at an origin, also one that has expired; undefined for one that was saved for another origin. */
  async read(origin: string): Promise<PlatformSession | undefined> {
    const stored = await this.keys.get({ kind: 'session', origin });
    const { data } = sessionSchema.safeParse(stored === undefined ? undefined : readObject(stored));
    return data && URL.canParse(data.baseUrl) && new URL(data.baseUrl).origin === origin ? data : undefined;
  }

  async all(): Promise<PlatformSession[]> {
    const slots = (await this.keys.list()).filter(({ kind }) => kind === 'session');
    const found = await Promise.all(slots.map(({ origin }) => this.read(origin)));
    return found.filter((session) => session !== undefined);
  }

  save(session: PlatformSession): Promise<void> {
    return this.keys.set(slotOf(session), JSON.stringify(session));
  }

  forget(session: PlatformSession): Promise<void> {
    return this.keys.forget(slotOf(session));
  }
}

function slotOf({ baseUrl }: PlatformSession) {
  return { kind: 'session' as const, origin: new URL(baseUrl).origin };
}
