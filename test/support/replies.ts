import type { Reply } from './replayNetwork.ts';
import type { RecordedReply } from './recorded.ts';

/** A body as JSON. */
export function jsonReply(body: unknown, status = 200): Reply {
  return { status, type: 'application/json', pieces: [JSON.stringify(body)] };
}

/** What was recorded, as it came. */
export function recordedReply({ status = 200, headers, body }: RecordedReply): Reply {
  return { status, headers, type: headers['content-type'] ?? 'application/json', pieces: [body] };
}

/** The page of a console, which some relays have in every place. */
export const htmlReply: Reply = { type: 'text/html', pieces: ['<!doctype html><title>Console</title>'] };
