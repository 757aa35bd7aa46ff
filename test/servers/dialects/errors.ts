import type { Reply } from '../http/reply.ts';

/** An error in OpenAI's form, which most vendors copy. */
export function openaiError(code: string | null, message: string, param: string | null = null): Reply {
  const error = { message, type: 'invalid_request_error', param, code };
  return { status: 400, body: { error } };
}
