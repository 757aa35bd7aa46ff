import { describeFlowChanges } from './describeFlowChanges.ts';
import { type Flow, readFlow } from './dsl/readFlow.ts';
import { flowState, hashOfDsl, type SyncedHashes } from './flowState.ts';

/** Relation of a file to the published version, which is the one that runs; unknown until a run has told its version. */
export type PublishedState = 'same' | 'different' | 'unknown';

export function publishedState(file: string, synced: SyncedHashes, published?: string): PublishedState {
  const hash = hashOfDsl(file);
  if (published !== undefined) return hash === hashOfDsl(published) ? 'same' : 'different';
  // A change that was never pushed can't be published. One that was pushed may be.
  const state = flowState(synced, { file: hash, platform: synced.platform });
  return state === 'changedHere' ? 'different' : 'unknown';
}

export function changesSinceRun(
  published: string,
  file: Flow,
): { lines: string[]; nodes: ReadonlySet<string> } {
  const ran = readFlow(published);
  const lines = describeFlowChanges(ran, file);
  if (lines.length === 0) return { lines, nodes: new Set() };
  const texts = new Map(ran.nodes.map(({ id, text }) => [id, text]));
  const nodes = file.nodes.filter(({ id, text }) => text === undefined || texts.get(id) !== text);
  return { lines, nodes: new Set(nodes.flatMap(({ id }) => id ?? [])) };
}
