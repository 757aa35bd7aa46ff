import { part } from '../part.tsx';

/** What only tool calls and their changes need: loaded with the first of it. */
export const Arguments = part(async () => (await import('./arguments.tsx')).Arguments);
export const ToolQuestion = part(async () => (await import('./toolQuestion.tsx')).ToolQuestion);
export const EditsEntry = part(async () => (await import('./editsEntry.tsx')).EditsEntry);
export const ToolFold = part(async () => (await import('../toolFold.tsx')).ToolFold);
