import { type AnswerSources, citationsIn, isCut } from '../../chat/grounding/answerSources.ts';
import type { Source as FoundSource } from '../../chat/store/events.ts';
import type { Citable, Source } from '../../shared/knowledge.ts';
import { addNumbers } from '../../chat/grounding/sourceIndex.ts';

export function toCitable({ found, earlier }: AnswerSources): Citable {
  const numbers = found.map(({ n }) => n);
  return addNumbers(earlier.ranges, numbers).map(([first, last]) => [first, last]);
}

/** Citations are matched roughly here, exactly by the page. `isUsed`: an app reports sources whether cited or not. */
export function toSources(sources: AnswerSources, text: string, isUsed = false): Source[] {
  return [
    ...sources.found.map((source) => ({ ...toSource(source), ...(isUsed && { isUsed }) })),
    ...citedEarlier(sources, text).map((source) => ({ ...toSource(source), isEarlier: true })),
  ];
}

export function listedSources(sources: AnswerSources, text: string): FoundSource[] {
  return [...sources.found, ...citedEarlier(sources, text)];
}

function citedEarlier({ found, earlier }: AnswerSources, text: string): FoundSource[] {
  const others = new Set(citationsIn(text));
  for (const { n } of found) others.delete(n);
  return [...others].toSorted((a, b) => a - b).flatMap((n) => earlier.find(n) ?? []);
}

function toSource({ n, documentName, datasetName, score, content, origin }: FoundSource): Source {
  const { start, end } = origin?.lines ?? {};
  return {
    ...{ n, document: documentName, base: datasetName, content },
    ...(isCut(content) && { isCut: true }),
    ...(score !== undefined && { score }),
    ...(origin && {
      location: {
        path: origin.path,
        ...(start !== undefined && { line: start }),
        ...(end !== undefined && { endLine: end }),
      },
    }),
  };
}
