import type { ErrorCode } from '../../src/base/errors/errors.ts';
import type { Timeouts } from '../../src/net/transport.ts';

/** A short limit for a fault that stalls, and none that a busy machine could meet before it. */
export function limitFor(code: ErrorCode | undefined): Partial<Timeouts> {
  if (code === 'timeout-first-token') return { firstTokenMs: 300 };
  return code === 'timeout-idle' ? { idleMs: 300 } : {};
}

/** How the sandbox's faults end, by whichever protocol they are asked. */
export const faultEndings: Readonly<Record<string, ErrorCode | undefined>> = {
  'fault/cut-mid-answer': 'truncated',
  'fault/hang-up-mid-answer': 'truncated',
  'fault/done-without-finish': 'truncated',
  'fault/cut-before-answer-then-ok': undefined,
  'fault/empty-reply': 'empty-reply',
  'fault/empty-stream': 'empty-reply',
  'fault/only-reasoning': 'empty-reply',
  'fault/stall-before-first-token': 'timeout-first-token',
  'fault/stall-after-head': 'timeout-first-token',
  'fault/stall-mid-answer': 'timeout-idle',
  'fault/pings-forever': 'timeout-first-token',
  'fault/error-inside-200': 'truncated',
  'fault/anthropic-bare-error': 'truncated',
  'fault/context-too-long': 'context-too-long',
  'fault/503-no-channel': 'model',
  'fault/vendor-401': 'vendor-key',
  'fault/html-page': 'wrong-address',
  nosuch: 'model',
};
