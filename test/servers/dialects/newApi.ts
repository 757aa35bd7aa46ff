import { assertNever } from '../../../src/base/assertNever.ts';
import type { Reply } from '../http/reply.ts';
import { type Dialect, type GateCase, type GateDetails, listedCreated, tokenGroup } from './dialect.ts';

/** The language a user of new-api chose for messages; some texts are Chinese in either. */
export type Language = 'en' | 'zh';

interface Refusal {
  status: number;
  code?: string;
  /** Raised while relaying: four fields instead of three. */
  relayStage?: boolean;
  message: string;
}

/**
 * new-api v1.0.0-rc.21.
 * @param knowsEndpoints false, as set up: it names no endpoint of any model until somebody opens its page of prices
 */
export function newApiDialect(language: Language, knowsEndpoints: boolean): Dialect {
  return {
    lenientKeys: true,
    servesMessages: true,
    headers: (requestId) => ({ 'X-Oneapi-Request-Id': requestId, 'X-New-Api-Version': 'v1.0.0-rc.21' }),
    refuse: (gateCase, details) => toReply(describe(gateCase, details, language), details.requestId),
    listModels: (models) => ({
      success: true,
      object: 'list',
      data: models.map(({ id, ownedBy, endpoints = endpointsOf(ownedBy) }) => ({
        id,
        object: 'model',
        created: listedCreated,
        owned_by: ownedBy,
        supported_endpoint_types: knowsEndpoints ? endpoints : [],
      })),
    }),
  };
}

/** What it says of the models of a channel once it says something. */
function endpointsOf(ownedBy: string): string[] {
  return ownedBy === 'claude' ? ['anthropic', 'openai'] : ['openai'];
}

/** An error of new-api in either of its two shapes: with `relayStage`, raised behind the gate, it has a `param`. */
export function newApiError(refusal: Omit<Refusal, 'status'> & { type?: string; requestId: string }): object {
  const { message, requestId, type = 'new_api_error', relayStage, code = '' } = refusal;
  return {
    error: {
      message: `${message} (request id: ${requestId})`,
      type,
      ...(relayStage && { param: '' }),
      code,
    },
  };
}

function toReply(refusal: Refusal, requestId: string): Reply {
  return { status: refusal.status, body: newApiError({ ...refusal, requestId }) };
}

function describe(gateCase: GateCase, { model }: GateDetails, language: Language): Refusal {
  const say = (en: string, zh: string) => (language === 'zh' ? zh : en);
  switch (gateCase) {
    case 'no-key':
    case 'unknown-key':
    case 'disabled':
    case 'expired':
    case 'exhausted':
      return { status: 401, message: say('Invalid token', '无效的令牌') };
    case 'banned':
      return { status: 403, message: say('User has been banned', '用户已被封禁') };
    case 'ip':
      return { status: 403, code: 'access_denied', message: '您的 IP 不在令牌允许访问的列表中' };
    case 'group':
      return { status: 403, message: '分组 sunset 已被弃用' };
    case 'key-suffix':
      return { status: 403, message: '普通用户不支持指定渠道' };
    case 'model-not-allowed':
      return {
        status: 403,
        message: say(`This token has no access to model ${model}`, `该令牌无权访问模型 ${model}`),
      };
    case 'no-models-allowed':
      return {
        status: 403,
        message: say('This token has no access to any models', '该令牌无权访问任何模型'),
      };
    case 'unknown-model':
      return {
        status: 503,
        code: 'model_not_found',
        message: say(
          `No available channel for model ${model} under group ${tokenGroup} (distributor)`,
          `分组 ${tokenGroup} 下模型 ${model} 无可用渠道（distributor）`,
        ),
      };
    case 'no-model-given':
      return {
        status: 400,
        message: say(
          'Model name not specified, model name cannot be empty',
          '未指定模型名称，模型名称不能为空',
        ),
      };
    case 'not-json':
      return { status: 400, message: 'Invalid request: Invalid request: invalid JSON request body' };
    case 'body-too-large':
      return {
        status: 400,
        message: 'Invalid request: Invalid request: request body exceeds 128 MB: request body too large',
      };
    case 'no-messages':
      return {
        status: 500,
        code: 'invalid_request',
        relayStage: true,
        message: 'field messages is required',
      };
    case 'absurd-max-tokens':
      return { status: 500, code: 'invalid_request', relayStage: true, message: 'max_tokens is invalid' };
    case 'no-balance':
      return {
        status: 403,
        code: 'insufficient_user_quota',
        relayStage: true,
        message: '用户额度不足, 剩余额度: ＄0.000000',
      };
    case 'low-balance':
      return {
        status: 403,
        code: 'insufficient_user_quota',
        relayStage: true,
        message: '预扣费额度失败, 用户剩余额度: ＄0.002000, 需要预扣费额度: ＄0.045000',
      };
    case 'low-token-quota':
      return {
        status: 403,
        code: 'pre_consume_token_quota_failed',
        relayStage: true,
        message: 'token quota is not enough, token remain quota: ＄0.001200, need quota: ＄0.045000',
      };
    default:
      return assertNever(gateCase);
  }
}
