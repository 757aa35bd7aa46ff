import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { delay } from '../../base/async/promises.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { isCancelled, SwitchboardError } from '../../base/errors/errors.ts';
import { asObject } from '../../base/json.ts';
import { loosely } from '../../base/lenientSchemas.ts';
import { type Caller, createCaller, type PlatformContext } from '../platformCall.ts';
import { withoutKey } from './catalog.ts';
import { readAccount } from './openapiClient.ts';
import type { Account } from './openapiRecords.ts';

export interface DeviceCode {
  userCode: string;
  /** Always http or https. */
  verificationUri: string;
  deviceCode: string;
  intervalMs: number;
  expiresInMs: number;
}

export interface SignedIn {
  token: string;
  expiresAtMs: number;
  account: Account;
}

export interface DeviceFlow {
  context: PlatformContext;
  /** One that the server's administrator allows; `difyctl` by default. */
  clientId: string;
  clock?: Clock;
}

/** @param label Name of this installation. The platform ends an earlier sign-in with the same account and label. */
export async function startDeviceFlow(
  { context, clientId }: DeviceFlow,
  label: string,
  signal: AbortSignal,
): Promise<DeviceCode> {
  try {
    return await callerOf(context).ask(
      { method: 'POST', path: '/oauth/device/code', json: { client_id: clientId, device_label: label } },
      readCode,
      signal,
    );
  } catch (error) {
    throw wordOf(error) === 'unsupported_client' ? unknownClient(clientId, error) : error;
  }
}

/** Polls until approved; `slow_down` adds 5 s (RFC 8628). Unanswered polls repeat; a token lost with one is expired. */
export async function awaitApproval(
  { context, clientId, clock = systemClock }: DeviceFlow,
  { deviceCode, intervalMs, expiresInMs }: DeviceCode,
  signal: AbortSignal,
): Promise<SignedIn> {
  const caller = callerOf(context);
  const endMs = clock.now() + expiresInMs;
  const request = {
    ...{ method: 'POST' as const, path: '/oauth/device/token', isPacedByCaller: true },
    json: { device_code: deviceCode, client_id: clientId },
  };
  for (let pauseMs = intervalMs; clock.now() + pauseMs <= endMs;) {
    await delay(pauseMs, signal, clock);
    try {
      return await caller.ask(request, readSignedIn, signal);
    } catch (error) {
      if (isCancelled(error)) throw error;
      const word = wordOf(error);
      if (word === 'slow_down') pauseMs += slowDownMs;
      else if (word !== 'authorization_pending' && !isPassing(error)) throw refused(word, error);
    }
  }
  throw new SwitchboardError('request', codeExpiredMessage());
}

const slowDownMs = 5_000;
const shortestMs = 1_000;
const longestMs = 60 * 60_000;

function callerOf(context: PlatformContext): Caller {
  return createCaller(withoutKey(context), 'account');
}

/** The device flow names its errors by one word. */
function wordOf(error: unknown): string | undefined {
  return error instanceof SwitchboardError && error.status === 400 ? error.why : undefined;
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof SwitchboardError &&
    ['transient', 'rate-limit', 'offline', 'timeout-connect', 'timeout-first-token', 'timeout-idle'].includes(
      error.code,
    )
  );
}

function refused(word: string | undefined, cause: unknown): unknown {
  if (word === 'access_denied') {
    return new SwitchboardError(
      'not-permitted',
      l10n.t('The sign-in was denied on the platform. Start it again to try once more.'),
      { status: 400, cause },
    );
  }
  return word === 'expired_token'
    ? new SwitchboardError('request', codeExpiredMessage(), { status: 400, cause })
    : cause;
}

function codeExpiredMessage(): string {
  return l10n.t('The code has expired. Sign in again to get a new one.');
}

function unknownClient(clientId: string, cause: unknown): SwitchboardError {
  return new SwitchboardError(
    'not-permitted',
    l10n.t(
      'The platform doesn\'t know the client "{0}". Set "switchboard.platform.clientId" to one that its administrator has allowed.',
      clientId,
    ),
    { status: 400, why: 'unsupported_client', cause },
  );
}

const codeSchema = z.object({
  device_code: z.string().check(z.minLength(1)),
  user_code: z.string().check(z.minLength(1), z.maxLength(40)),
  verification_uri: z.string().check(z.maxLength(2_000)),
  expires_in: loosely(z.number()),
  interval: loosely(z.number()),
});

function readCode(json: unknown): DeviceCode | undefined {
  const { data } = codeSchema.safeParse(json);
  const uri = data?.verification_uri ?? '';
  if (!data || !URL.canParse(uri) || !/^https?:$/.test(new URL(uri).protocol)) return undefined;
  return {
    ...{ userCode: data.user_code, deviceCode: data.device_code, verificationUri: uri },
    intervalMs: within((data.interval ?? 5) * 1000),
    expiresInMs: within((data.expires_in ?? 900) * 1000),
  };
}

function within(ms: number): number {
  return Math.min(Math.max(ms, shortestMs), longestMs);
}

const tokenSchema = z.object({ token: z.string().check(z.minLength(8)), expires_at: z.string() });

/** Undefined for tokens without an account, which an enterprise gives to users of other systems. */
function readSignedIn(json: unknown): SignedIn | undefined {
  const { data } = tokenSchema.safeParse(asObject(json));
  const account = readAccount(json);
  const expiresAtMs = Date.parse(data?.expires_at ?? '');
  return data && account && !Number.isNaN(expiresAtMs)
    ? { token: data.token, expiresAtMs, account }
    : undefined;
}
