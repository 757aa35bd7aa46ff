import type { Reply } from '../http/reply.ts';

/** Documented frames: a line with the event's name, and one with its JSON. */
export function queryStream(events: readonly (readonly [string, object])[]): Reply {
  return {
    status: 200,
    headers: { 'Content-Type': 'text/event-stream' },
    body: events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
  };
}
