import { setTimeout as pause } from 'node:timers/promises';
import type { Step } from '../script/script.ts';
import type { EventStream } from './eventStream.ts';
import { waitForEnd } from './waitForEnd.ts';

type SilentStep = Extract<Step, { type: 'comment' | 'delay' | 'stall' | 'hangUp' | 'destroy' | 'refuse' }>;

/** Plays a step that says nothing, and so is the same in every protocol. False if the answer ends with it. */
export async function playSilentStep(
  step: SilentStep,
  stream: EventStream,
  signal: AbortSignal,
): Promise<boolean> {
  switch (step.type) {
    case 'comment':
      await stream.comment(step.text);
      return true;
    case 'delay':
      await pause(step.ms, undefined, { signal });
      return true;
    case 'stall':
      await waitForEnd(signal);
      return false;
    case 'hangUp':
      await stream.end({ done: false });
      return false;
    case 'destroy':
      await stream.destroy(step.how ?? 'fin');
      return false;
    case 'refuse':
      throw new Error('A script can refuse only in its first step.');
  }
}
