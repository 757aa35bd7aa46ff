import type { ScriptedModel } from '../script/script.ts';
import { fault, plain } from './fault.ts';

/** What comes of marks that say up to where a prompt is to be cached, which clients send to models of this name alone. */
export const cacheMarkFaults: readonly ScriptedModel[] = [
  fault(
    'claude-caches-marked',
    'Caches prompts up to their marks, as it should; usage tells how much came from the cache.',
    plain,
    { cachesMarked: true },
  ),
  fault('claude-caches-nothing', 'Takes marks, and caches nothing: the relay drops them.', plain),
];
