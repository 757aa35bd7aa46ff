import { type AnswerSources, citationsIn } from '../../chat/grounding/answerSources.ts';
import type { Source as FoundSource } from '../../chat/store/events.ts';
import type { Citable, Source } from '../../shared/knowledge.ts';
import { addNumbers } from '../../chat/grounding/sourceIndex.ts';

export function toCitable({ found, earlier }: AnswerSources): Citable {
  const numbers = found.map(({ n }) => n);
  return addNumbers(earlier.ranges, numbers).map(([first, last]) => [first, last]);
}

/** Citations are matched roughly here, exactly by the page. `isUsed`: an app reports sources whether cited or not. */
export function toSources({ found, earlier }: AnswerSources, text: string, isUsed = false): Source[] {
  const others = new Set(citationsIn(text));
  for (const { n } of found) others.delete(n);
  return [
    ...found.map((source) => ({ ...toSource(source), ...(isUsed && { isUsed }) })),
    ...[...others]
      .toSorted((a, b) => a - b)
      .flatMap((n) => earlier.find(n) ?? [])
      .map((source) => ({ ...toSource(source), isEarlier: true })),
  ];
}

function toSource({ n, documentName, datasetName, score, content, origin }: FoundSource): Source {
  const { start, end } = origin?.lines ?? {};
  return {
    ...{ n, document: documentName, base: datasetName, content },
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
