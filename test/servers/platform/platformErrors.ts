import type { Reply } from '../http/reply.ts';

/** An error in the platform's normal shape. */
export function platformError(status: number, code: string, message: string): Reply {
  return { status, body: { code, message, status } };
}
