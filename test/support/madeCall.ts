import type { Call } from '../../src/chat/calls/call.ts';

/** A call that a model made, its arguments read. */
export function madeCall(name: string, input: Call['input'] = {}, id = 'call'): Call {
  return { id, callId: `model's ${id}`, name, input };
}
