import type { ScriptedModel } from '../script/script.ts';
import { fault, plain } from './fault.ts';

/** Reactions to cache marks, which clients send only to models of this name. */
export const cacheMarkFaults: readonly ScriptedModel[] = [
  fault(
    'claude-caches-marked',
    'Caches prompts up to their marks, as it should; usage tells how much came from the cache.',
    plain,
    { cachesMarked: true },
  ),
  fault('claude-caches-nothing', 'Takes marks, and caches nothing: the relay drops them.', plain),
];
