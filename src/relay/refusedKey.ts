import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { type ErrorCode, rejudge, type SwitchboardError } from '../base/errors.ts';
import { formatTime } from '../base/format.ts';
import { parseJson } from '../base/json.ts';
import { getJson, type RelayContext } from './relayCall.ts';

/** The user waits for the answer to a question, of which this is only a detail. */
const limitMs = 5_000;
const maxBytes = 64 * 1024;

/** Why new-api rejects a key. `expiredAtMs` is Unix time. */
type KeyState =
  | { type: 'expired'; expiredAtMs: number }
  | { type: 'usedUp' }
  | { type: 'disabled' }
  | { type: 'unknown' };

/**
 * new-api rejects a key that expired, was used up, was disabled or never existed with the same words; a second call
 * with the same key tells which. The failure with that in its message, or as it is where nothing more was found out:
 * the call is an extra, so it has a short limit and no failures of its own. The server allows it 20 times in 20
 * minutes, which is why it is made once for a failure and never by itself.
 */
export async function explainRefusedKey(
  context: RelayContext,
  failure: SwitchboardError,
  signal: AbortSignal,
): Promise<SwitchboardError> {
  // Its own word for it, at the gate. One API says in the refusal itself what is wrong.
  if (failure.code !== 'key' || failure.serverCode !== 'new_api_error') return failure;
  const state = await readKeyState(context, signal).catch(() => undefined);
  return state ? rejudge(failure, codeOf(state), messageOf(state)) : failure;
}

/** A key that is used up is a matter of money: another address or a new copy of the key does not help. */
function codeOf({ type }: KeyState): ErrorCode {
  return type === 'usedUp' ? 'balance' : 'key';
}

function messageOf(state: KeyState): string {
  switch (state.type) {
    case 'expired':
      return l10n.t(
        "The key expired on {0}. Create a new one on the relay's site and connect with it.",
        formatTime(state.expiredAtMs),
      );
    case 'usedUp':
      return l10n.t("The key's quota is used up. Raise it on the relay's site, or connect with another key.");
    case 'disabled':
      return l10n.t("The key is disabled. Enable it on the relay's site, or connect with another key.");
    case 'unknown':
      return l10n.t(
        "The relay doesn't know this key. It may be mistyped or deleted. Copy it again from the relay's site.",
      );
  }
}

/** Below the relay's own address, so the key goes nowhere new; the client follows no redirect to another origin. */
async function readKeyState(context: RelayContext, signal: AbortSignal): Promise<KeyState | undefined> {
  const timeouts = { connectMs: context.timeouts.connectMs, firstTokenMs: limitMs, idleMs: limitMs };
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  // Without the final slash there is a redirect.
  const response = await getJson({ ...context, timeouts }, '/api/usage/token/', limited);
  return keyStateOf(response.status, parseJson(await response.text(maxBytes)), Date.now());
}

const usageSchema = z.object({
  data: z.object({
    /** Unix seconds; 0 is never. */
    expires_at: z.number(),
    total_available: z.number(),
    unlimited_quota: z.boolean(),
  }),
});

const refusalSchema = z.object({ success: z.literal(false), message: z.string() });

/** What the answer says of the key; undefined for every other answer, such as a page or a limit. */
export function keyStateOf(status: number, body: unknown, nowMs: number): KeyState | undefined {
  if (status === 401) {
    const refusal = refusalSchema.safeParse(body);
    if (!refusal.success) return undefined;
    const { message } = refusal.data;
    if (/status is unavailable|状态不可用/i.test(message)) return { type: 'disabled' };
    return /invalid token|无效的令牌/i.test(message) ? { type: 'unknown' } : undefined;
  }
  if (status !== 200) return undefined;
  const usage = usageSchema.safeParse(body);
  if (!usage.success) return undefined;
  const { expires_at: expiresAt, total_available: available, unlimited_quota: isUnlimited } = usage.data.data;
  const expiredAtMs = expiresAt * 1000;
  if (expiresAt > 0 && expiredAtMs <= nowMs && isDate(expiredAtMs)) return { type: 'expired', expiredAtMs };
  return !isUnlimited && available <= 0 ? { type: 'usedUp' } : undefined;
}

function isDate(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime());
}
