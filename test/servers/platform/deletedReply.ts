import type { Reply } from '../http/reply.ts';
import { noContent, success } from './platformRoute.ts';
import type { ServerVersion } from './serverVersion.ts';

/** The version's reply to a DELETE of a document or its parts: three forms over the years. */
export function deletedReply(version: ServerVersion): Reply {
  if (!version.isAtLeast('1.3')) return success;
  if (!version.isAtLeast('1.4') || version.isAtLeast('1.14')) return noContent;
  // A bug of several versions: the status went into the body.
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: '204\n' };
}
