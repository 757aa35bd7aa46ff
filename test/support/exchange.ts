import assert from 'node:assert/strict';
import type { Message } from '../../src/relay/messages.ts';

/** The strict vendor's rule: every call is answered once, right after the message that made it. */
export function assertExchange(messages: readonly Message[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      assert.equal(message.toolCallId, open.shift(), 'results come in the order of their calls');
    } else {
      assert.deepEqual(open, [], 'a call without its result');
      if (message.role === 'assistant') open = (message.toolCalls ?? []).map(({ id }) => id);
    }
  }
  assert.deepEqual(open, [], 'a call without its result');
}
