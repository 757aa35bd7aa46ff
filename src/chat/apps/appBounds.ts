import { longestKeptContent, type Source } from '../../tools/knowledge/source.ts';
import type { AppStep } from '../../apps/app.ts';
import type { AppSegment } from './chatApp.ts';

/** What a platform says has no limits of its own; what is kept with a conversation has. */

const maxTitle = 200;
const maxError = 2000;
const maxSources = 100;

export function toStep(step: AppStep): AppStep {
  const { title, kind, error } = step;
  return {
    ...step,
    title: title.slice(0, maxTitle) || kind.slice(0, maxTitle),
    kind: kind.slice(0, maxTitle),
    ...(error && { error: error.slice(0, maxError) }),
  };
}

/** Numbered as the app lists them, which is how an app that cites would cite. */
export function toSources(segments: readonly AppSegment[]): Source[] {
  return segments.slice(0, maxSources).map((segment, index) => ({
    ...segment,
    n: index + 1,
    documentName: segment.documentName.slice(0, maxTitle),
    datasetName: segment.datasetName.slice(0, maxTitle),
    content: segment.content.slice(0, longestKeptContent),
  }));
}
