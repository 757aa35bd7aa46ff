import type { Call } from '../../src/chat/calls/call.ts';

export function madeCall(name: string, input: Call['input'] = {}, id = 'call'): Call {
  return { id, callId: `model's ${id}`, name, input };
}
