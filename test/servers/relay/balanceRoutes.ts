import type { Dialect } from '../dialects/dialect.ts';
import type { Exchange, Route } from '../http/httpServer.ts';
import { sendReply } from '../http/reply.ts';
import { authenticate } from './authenticate.ts';
import { findToken, type RelayToken } from './keys.ts';
import { createRequestId } from './requestId.ts';

const quotaPerUnit = 500_000;
/** The relay's "unlimited", in dollars. */
const unlimited = 100_000_000;

/** new-api's routes for a token's balance, and the public facts needed to read it. */
export function balanceRoutes(dialect: Dialect): Route[] {
  const send = (exchange: Exchange, body: object, status = 200): void =>
    sendReply(exchange, { status, body }, dialect.headers(createRequestId()));

  /** Full authentication: an expired or exhausted token gets its 401 here as well. */
  const withToken =
    (tell: (token: RelayToken) => object) =>
    (exchange: Exchange): void => {
      const authentication = authenticate(exchange.request, dialect);
      if ('token' in authentication) return send(exchange, tell(authentication.token));
      const requestId = createRequestId();
      const reply = dialect.refuse(authentication.refused, { model: '', requestId });
      return sendReply(exchange, reply, dialect.headers(requestId));
    };

  return [
    {
      method: 'GET',
      path: /^(?:\/v1)?\/dashboard\/billing\/subscription$/,
      handle: withToken(({ quota, expiresAt = 0 }) => {
        const limit = quota ? quota.granted / quotaPerUnit : unlimited;
        return {
          object: 'billing_subscription',
          has_payment_method: true,
          soft_limit_usd: limit,
          hard_limit_usd: limit,
          system_hard_limit_usd: limit,
          access_until: expiresAt,
        };
      }),
    },
    {
      method: 'GET',
      path: /^(?:\/v1)?\/dashboard\/billing\/usage$/,
      handle: withToken(({ quota }) => ({
        object: 'list',
        total_usage: ((quota?.used ?? 0) / quotaPerUnit) * 100,
      })),
    },
    {
      method: 'GET',
      path: '/api/usage/token',
      handle: (exchange) => {
        const headers = { ...dialect.headers(createRequestId()), Location: '/api/usage/token/' };
        sendReply(exchange, { status: 301, headers, body: '' });
      },
    },
    {
      method: 'GET',
      path: '/api/usage/token/',
      // Also answers for expired and exhausted tokens, which makes it useful for a diagnosis.
      handle(exchange) {
        const [scheme, key = ''] = exchange.request.headers.authorization?.split(' ') ?? [];
        const token = scheme === 'Bearer' ? findToken(key) : undefined;
        if (!token) return send(exchange, { success: false, message: 'Invalid token' }, 401);
        if (token.state === 'disabled') {
          return send(exchange, { success: false, message: 'This token status is unavailable' }, 401);
        }
        return send(exchange, { code: true, message: 'ok', data: tokenUsage(token) });
      },
    },
    {
      method: 'GET',
      path: '/api/status',
      handle: (exchange) =>
        send(exchange, {
          success: true,
          message: '',
          data: {
            version: 'v1.0.0-sandbox',
            system_name: 'Sandbox relay',
            server_address: '',
            quota_per_unit: quotaPerUnit,
            quota_display_type: 'USD',
            usd_exchange_rate: 7.3,
          },
        }),
    },
  ];
}

function tokenUsage({ quota, models, expiresAt = 0 }: RelayToken): object {
  return {
    object: 'token_usage',
    name: 'sandbox',
    total_granted: quota?.granted ?? 0,
    total_used: quota?.used ?? 0,
    total_available: quota ? quota.granted - quota.used : 0,
    unlimited_quota: !quota,
    model_limits: Object.fromEntries((models ?? []).map((id) => [id, true])),
    model_limits_enabled: models !== undefined,
    expires_at: expiresAt,
  };
}
