import { frame } from '../../base/frame.ts';

/** The frame that has frames in it. */
export const knowledgeKind = 'knowledge';

/** What is put before a question: the segments. */
export function groundingMessage(text: string): string {
  const body =
    'Found in the chosen knowledge bases for the question below. Cite what you use by its number in square brackets, ' +
    'like [1], right after the statement it supports; say so if nothing here answers the question.\n\n' +
    text;
  return frame({ kind: knowledgeKind, facts: {}, body });
}
