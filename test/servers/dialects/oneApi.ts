import { assertNever } from '../../../src/base/assertNever.ts';
import { type Dialect, type GateCase, listedCreated, tokenGroup } from './dialect.ts';

/** One API and new-api before 2026: Chinese throughout, a message per token state, no `code`. */
export const oneApiDialect: Dialect = {
  lenientKeys: true,
  headers: (requestId) => ({ 'X-Oneapi-Request-Id': requestId }),
  refuse(gateCase, { model, requestId }) {
    const { status, message, code } = describe(gateCase, model);
    const error = { message: `${message} (request id: ${requestId})`, type: 'one_api_error' };
    return { status, body: { error: code ? { ...error, param: '', code } : error } };
  },
  listModels: (models) => ({
    object: 'list',
    data: models.map(({ id, ownedBy }) => ({
      id,
      object: 'model',
      created: listedCreated,
      owned_by: ownedBy,
      permission: [],
      root: id,
      parent: null,
    })),
  }),
};

function describe(gateCase: GateCase, model: string): { status: number; message: string; code?: string } {
  switch (gateCase) {
    case 'no-key':
      return { status: 401, message: '未提供令牌' };
    case 'unknown-key':
      return { status: 401, message: '无效的令牌' };
    case 'expired':
      return { status: 401, message: '该令牌已过期' };
    case 'disabled':
      return { status: 401, message: '该令牌状态不可用' };
    case 'exhausted':
      return { status: 401, message: '该令牌额度已用尽' };
    case 'banned':
      return { status: 403, message: '用户已被封禁' };
    case 'ip':
      return { status: 403, message: '该令牌只能在指定网段使用' };
    case 'group':
      return { status: 403, message: '分组 sunset 已被弃用' };
    case 'key-suffix':
      return { status: 403, message: '普通用户不支持指定渠道' };
    case 'model-not-allowed':
    case 'no-models-allowed':
      return { status: 403, message: `该令牌无权使用模型：${model}` };
    case 'unknown-model':
      return { status: 503, message: `当前分组 ${tokenGroup} 下对于模型 ${model} 无可用渠道` };
    case 'no-model-given':
      return { status: 400, message: '未指定模型名称，模型名称不能为空' };
    case 'not-json':
    case 'body-too-large':
      return { status: 400, message: '无效的请求' };
    case 'no-messages':
      return { status: 400, message: 'field messages is required', code: 'invalid_text_request' };
    case 'absurd-max-tokens':
      return { status: 400, message: 'max_tokens is invalid', code: 'invalid_text_request' };
    case 'no-balance':
    case 'low-balance':
      return { status: 403, message: 'user quota is not enough', code: 'insufficient_user_quota' };
    case 'low-token-quota':
      return { status: 403, message: 'token quota is not enough', code: 'pre_consume_token_quota_failed' };
    default:
      return assertNever(gateCase);
  }
}
