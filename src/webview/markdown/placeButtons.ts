import type { Location } from '../../shared/location.ts';
import { findPlaces } from './places.ts';

/** Makes buttons of the places that a text names. */
export function addPlaceButtons(root: ParentNode): void {
  for (const span of root.querySelectorAll('span.place')) {
    if (span.closest('a')) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'place';
    button.append(...span.childNodes);
    span.replaceWith(button);
  }
}

/** The place whose button was clicked, if the target is one. */
export function placeOf(target: Element): Location | undefined {
  const [place] = findPlaces(target.closest('button.place')?.textContent ?? '');
  if (!place) return undefined;
  const { path, line, column, endLine } = place;
  return { path, line, ...(column !== undefined && { column }), ...(endLine !== undefined && { endLine }) };
}
