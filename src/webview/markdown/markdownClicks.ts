import type { Panel } from '../state/panel.ts';
import { sourceOf } from './citations/citationButtons.ts';
import { codeActionOf, codeFoldOf, toggleCode, toggleSource, toggleWrap } from './code/codeFrame.ts';
import { placeOf } from './places.ts';
import { tableTextOf } from './tableFrame.ts';

const copiedMs = 1500;

interface Clicked extends Pick<Panel, 'post' | 'views'> {
  stayAt(place: () => void): void;
}

/** A click on a citation, location, code or table, which are drawn outside of the component tree. */
export function onMarkdownClick(event: MouseEvent, { post, views, stayAt }: Clicked): void {
  const button = event.target instanceof Element && event.target.closest('button');
  if (!button) return;
  const id = button.closest<HTMLElement>('[data-entry-id]')?.dataset['entryId'];
  const n = sourceOf(button);
  if (n !== undefined && id !== undefined) return post({ type: 'openSource', id, n });
  const location = placeOf(button);
  if (location) return post({ type: 'openLocation', location });
  const fold = codeFoldOf(button);
  if (fold) {
    const opens = fold.frame.classList.contains('folded');
    // Unfolding shows the beginning; folding keeps the button under the pointer.
    const fixed = opens ? fold.frame : fold.button;
    const { top } = fixed.getBoundingClientRect();
    views.setOpen(toggleCode(fold), opens);
    return stayAt(() => scrollBy(fixed, fixed.getBoundingClientRect().top - top));
  }
  const table = tableTextOf(button);
  if (table) return copy(table.text, table.button, post);
  const clicked = codeActionOf(button);
  if (!clicked) return;
  const { action, code, frame, text } = clicked;
  switch (action) {
    case 'source':
      return toggleSource(button);
    case 'draw':
      return drawAsked(code);
    case 'insert':
      return post({ type: 'insertText', text });
    case 'copy':
      return copy(text, button, post);
    case 'more':
      return openMenu(button);
    case 'wrap': {
      const { top } = frame.getBoundingClientRect();
      const { key, isWrapped } = toggleWrap(frame);
      views.setOpen(key, isWrapped);
      return stayAt(() => scrollBy(frame, frame.getBoundingClientRect().top - top));
    }
    default:
      if (id === undefined) return;
      return post({
        type: 'useCode',
        id,
        action,
        code: text,
        language: frame.querySelector('.code-language')?.textContent ?? '',
      });
  }
}

function openMenu(button: HTMLElement): void {
  import('./code/codeMenu.ts')
    .then(({ openCodeMenu }) => openCodeMenu(button))
    .catch((error: unknown) => console.error(error));
}

function drawAsked(code: HTMLElement): void {
  import('./diagrams.ts')
    .then(({ drawDiagram }) => drawDiagram(code, true))
    .catch((error: unknown) => console.error(error));
}

function scrollBy(element: Element, delta: number): void {
  const scroller = element.closest('.scroller');
  if (scroller) scroller.scrollTop += delta;
}

function copy(text: string, button: HTMLElement, post: Panel['post']): void {
  post({ type: 'copyText', text });
  const icon = button.querySelector('.codicon');
  const names = icon?.className;
  if (!icon || !names || icon.classList.contains('codicon-check')) return;
  icon.className = 'codicon codicon-check';
  setTimeout(() => (icon.className = names), copiedMs);
}
