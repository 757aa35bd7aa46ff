import type { Reply } from './replayNetwork.ts';
import type { RecordedReply } from './recorded.ts';

export function jsonReply(body: unknown, status = 200): Reply {
  return { status, type: 'application/json', pieces: [JSON.stringify(body)] };
}

export function recordedReply({ status = 200, headers, body }: RecordedReply): Reply {
  return { status, headers, type: headers['content-type'] ?? 'application/json', pieces: [body] };
}

/** A console's page, which some relays return for every path. */
export const htmlReply: Reply = { type: 'text/html', pieces: ['<!doctype html><title>Console</title>'] };
