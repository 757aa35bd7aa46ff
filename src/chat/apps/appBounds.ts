import type { AppSource, AppStep } from '../../apps/app.ts';
import { longestKeptContent } from '../../tools/knowledge/segmentKey.ts';
import type { Source } from '../../tools/knowledge/source.ts';

/** Platform data is unbounded; data stored with a conversation must not be. */

const maxTitle = 200;
const maxError = 2000;
const maxSources = 100;

export function boundStep(step: AppStep): AppStep {
  const { title, kind, error, detail } = step;
  return {
    ...step,
    title: title.slice(0, maxTitle) || kind.slice(0, maxTitle),
    kind: kind.slice(0, maxTitle),
    ...(error && { error: error.slice(0, maxError) }),
    ...(detail && { detail: detail.slice(0, maxError) }),
  };
}

/** Numbered in the app's order, which is how an app that cites would number them. */
export function toSources(sources: readonly AppSource[]): Source[] {
  return sources.slice(0, maxSources).map((source, index) => ({
    n: index + 1,
    datasetId: source.datasetId ?? '',
    datasetName: (source.datasetName ?? '').slice(0, maxTitle),
    documentId: source.documentId ?? '',
    documentName: (source.documentName ?? '').slice(0, maxTitle),
    segmentId: source.segmentId ?? '',
    ...(source.score !== undefined && { score: source.score }),
    content: (source.content ?? '').slice(0, longestKeptContent),
  }));
}
