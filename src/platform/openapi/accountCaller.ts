import { isCancelled, SwitchboardError } from '../../base/errors/errors.ts';
import { asObject, asText } from '../../base/json.ts';
import { type Caller, createCaller, type PlatformContext, type Read } from '../platformCall.ts';
import { signedOutMessage } from '../platformMessages.ts';
import { SignedOutError } from '../platformErrors.ts';
import { withCatalog, withoutKey } from './catalog.ts';

export interface SignedInContext extends PlatformContext {
  /** End of the sign-in, Unix milliseconds; it cannot be extended. */
  expiresAtMs?: number;
  now?: () => number;
}

/** Tells when a sign-in has ended: servers answer its token with 500 and no reason (recorded on 1.16.1). */
export function createAccountCaller(context: SignedInContext): Caller {
  const caller = withCatalog(context, createCaller(context, 'account'));
  const judged = async <T>(call: Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      throw (await isSignedOut(context, caller, error, signal)) ? signedOut(context, error) : error;
    }
  };
  return {
    ask: (call, read, signal) => judged(caller.ask(call, read, signal), signal),
    send: (call, signal) => judged(caller.send(call, signal), signal),
    open: (call, signal) => judged(caller.open(call, signal), signal),
  };
}

export async function findOpenapi(
  context: PlatformContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  const open = createCaller(withoutKey(context), 'account');
  try {
    return await open.ask({ method: 'GET', path: '/_version', isRead: true }, readVersion, signal);
  } catch (error) {
    if (isCancelled(error)) throw error;
    // A server without it, or a proxy's page in its place: app keys are the way there.
    return undefined;
  }
}

async function isSignedOut(
  context: SignedInContext,
  caller: Caller,
  error: unknown,
  signal: AbortSignal,
): Promise<boolean> {
  if (!isServerError(error)) return false;
  const { expiresAtMs = Number.POSITIVE_INFINITY, now = Date.now } = context;
  if (now() >= expiresAtMs) return true;
  const question = { method: 'GET', path: '/account', isPacedByCaller: true } as const;
  const isKnown = await caller.ask(question, readAnything, signal).catch(isOther);
  return !isKnown && (await findOpenapi(context, signal)) !== undefined;
}

/** True for whatever is not a 500: it says nothing of the token. */
function isOther(error: unknown): boolean {
  return !isServerError(error);
}

function isServerError(error: unknown): error is SwitchboardError {
  return error instanceof SwitchboardError && error.status === 500;
}

function signedOut({ connection: { baseUrl } }: PlatformContext, error: unknown): SignedOutError {
  const { address, status } = error instanceof SwitchboardError ? error : {};
  return new SignedOutError(signedOutMessage(), baseUrl, { address, status, cause: error });
}

const readAnything: Read<true> = () => true;

function readVersion(json: unknown): string | undefined {
  return asText(asObject(json)?.['version']);
}
