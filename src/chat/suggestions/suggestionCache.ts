import { mostAfter, surroundings, type SuggestionPlace } from './suggestionPlace.ts';
import { trimSuggestion } from './trimSuggestion.ts';

const mostEntries = 50;

interface Entry {
  path: string;
  offset: number;
  before: string;
  after: string;
  text: string;
}

export class SuggestionCache {
  private entries: Entry[] = [];

  /** @param text empty if there is nothing to suggest */
  add(place: SuggestionPlace, text: string): void {
    const { path, offset } = place;
    this.entries = [...this.entries.slice(1 - mostEntries), { path, offset, ...surroundings(place), text }];
  }

  find(place: SuggestionPlace): string | undefined {
    const { before, after } = surroundings(place);
    for (const entry of this.entries.toReversed()) {
      const typed = place.offset - entry.offset;
      const isSame = entry.path === place.path && typed >= 0 && typed <= entry.text.length;
      if (!isSame || !isEnd(before, entry.before + entry.text.slice(0, typed))) continue;
      const rest = restAfter(entry, typed, after);
      // A suggestion that was typed to its end asks for the next one.
      if (rest !== undefined && (rest !== '' || typed === 0)) return rest;
    }
    return undefined;
  }

  clear(): void {
    this.entries = [];
  }
}

/** Both end at the caret; the longer one may begin earlier. */
function isEnd(a: string, b: string): boolean {
  return a.endsWith(b) || b.endsWith(a);
}

/** @param after may begin with a bracket or a quote that the editor closed automatically */
function restAfter(entry: Entry, typed: number, after: string): string | undefined {
  const rest = entry.text.slice(typed);
  if (isBeginning(after, entry.after)) return rest;
  const isClosed = typed > 0 && /^[)\]}>"'`]/.test(after) && isBeginning(after.slice(1), entry.after);
  return isClosed ? trimSuggestion(rest, { before: '', after }) : undefined;
}

/** True if both are equal, or were cut at the maximum length and one begins with the other. */
function isBeginning(a: string, b: string): boolean {
  if (a === b) return true;
  const areCut = Math.min(a.length, b.length) >= mostAfter - 2;
  return areCut && (a.startsWith(b) || b.startsWith(a));
}
