import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { type ErrorCode, rejudge, type SwitchboardError } from '../../base/errors/errors.ts';
import { formatTime } from '../../base/text/formatTime.ts';
import { parseJson } from '../../base/json.ts';
import { getJson, type RelayContext } from '../relayCall.ts';
import { disabledMessage, expiredMessage, usedUpMessage } from './relayMessages.ts';

/** The user waits for an answer; this is only a detail. */
const limitMs = 5_000;
const maxBytes = 64 * 1024;

type KeyState =
  | { type: 'expired'; expiredAtMs: number }
  | { type: 'usedUp' }
  | { type: 'disabled' }
  | { type: 'unknown' };

/** new-api rejects all unusable keys alike; a second call, of which it allows 20 in 20 minutes, tells the reason. */
export async function explainRefusedKey(
  context: RelayContext,
  failure: SwitchboardError,
  signal: AbortSignal,
): Promise<SwitchboardError> {
  // new-api's own code. One API's refusal states the reason itself.
  if (failure.code !== 'key' || failure.serverCode !== 'new_api_error') return failure;
  const state = await readKeyState(context, signal).catch(() => undefined);
  return state ? rejudge(failure, codeOf(state), messageOf(state)) : failure;
}

/** A used up key is a matter of money: a new copy of the key doesn't help. */
function codeOf({ type }: KeyState): ErrorCode {
  return type === 'usedUp' ? 'balance' : 'key';
}

function messageOf(state: KeyState): string {
  switch (state.type) {
    case 'expired':
      return expiredMessage(formatTime(state.expiredAtMs));
    case 'usedUp':
      return usedUpMessage();
    case 'disabled':
      return disabledMessage();
    case 'unknown':
      return l10n.t(
        "The relay doesn't know this key. It may be mistyped or deleted. Copy it again from the relay's site.",
      );
  }
}

/** The key goes to the relay's own origin only; no redirect to another one is followed. */
async function readKeyState(context: RelayContext, signal: AbortSignal): Promise<KeyState | undefined> {
  const timeouts = { connectMs: context.timeouts.connectMs, firstTokenMs: limitMs, idleMs: limitMs };
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  // Without the final slash there is a redirect.
  const response = await getJson({ ...context, timeouts }, '/api/usage/token/', limited);
  return keyStateOf(response.status, parseJson(await response.text(maxBytes)), Date.now());
}

const usageSchema = z.object({
  data: z.object({
    /** Unix seconds; 0: never. */
    expires_at: z.number(),
    total_available: z.number(),
    unlimited_quota: z.boolean(),
  }),
});

const refusalSchema = z.object({ success: z.literal(false), message: z.string() });

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
