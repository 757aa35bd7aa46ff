import type { SuggestionPlace } from '../../../../src/chat/suggestions/suggestionPlace.ts';

/** @param marked a document with `|` at the caret */
export function placeIn(marked: string, path = 'a.ts'): SuggestionPlace {
  const caret = marked.indexOf('|');
  return { path, text: marked.slice(0, caret) + marked.slice(caret + 1), caret, offset: caret };
}
