import { frame } from '../../base/text/frame.ts';

export const knowledgeKind = 'knowledge';

export function groundingMessage(text: string): string {
  const body =
    'Found in the chosen knowledge bases for the question below. Cite what you use by its number in square brackets, ' +
    'like [1], right after the statement it supports; say so if nothing here answers the question.\n\n' +
    text;
  return frame({ kind: knowledgeKind, facts: {}, body });
}
