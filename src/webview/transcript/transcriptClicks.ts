import type { Panel } from '../state/panel.ts';
import { sourceOf } from '../markdown/citations/citationButtons.ts';
import {
  codeActionOf,
  codeFoldOf,
  toggleCode,
  toggleSource,
  toggleWrap,
} from '../markdown/code/codeFrame.ts';
import { placeOf } from '../markdown/places.ts';
import { tableTextOf } from '../markdown/tableFrame.ts';

const copiedMs = 1500;

interface Transcript {
  panel: Pick<Panel, 'post' | 'views'>;
  stayAt(place: () => void): void;
}

/** Clicks on links, citations, locations, code and tables, which are drawn outside of the component tree. */
export function onTranscriptClick(event: MouseEvent, { panel, stayAt }: Transcript): void {
  const { post, views } = panel;
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest('a[href]');
  if (link) {
    event.preventDefault();
    // The editor's frame opens any clicked link, even if the default was prevented.
    event.stopPropagation();
    post({ type: 'openLink', href: link.getAttribute('href') ?? '' });
    return;
  }
  const n = event.button === 0 ? sourceOf(event.target) : undefined;
  const id = event.target.closest<HTMLElement>('[data-entry-id]')?.dataset['entryId'];
  if (n !== undefined && id !== undefined) return post({ type: 'openSource', id, n });
  const location = event.button === 0 ? placeOf(event.target) : undefined;
  if (location) return post({ type: 'openLocation', location });
  if (event.button !== 0) return;
  const fold = codeFoldOf(event.target);
  if (fold) {
    const opens = fold.frame.classList.contains('folded');
    // Unfolding shows the beginning; folding keeps the button under the pointer.
    const fixed = opens ? fold.frame : fold.button;
    const { top } = fixed.getBoundingClientRect();
    views.setOpen(toggleCode(fold), opens);
    return stayAt(() => scrollBy(fixed, fixed.getBoundingClientRect().top - top));
  }
  const table = tableTextOf(event.target);
  if (table) return copy(table.text, table.button, post);
  const clicked = codeActionOf(event.target);
  if (!clicked) return;
  const { action, code, frame, text, button } = clicked;
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
  import('../markdown/code/codeMenu.ts')
    .then(({ openCodeMenu }) => openCodeMenu(button))
    .catch((error: unknown) => console.error(error));
}

function drawAsked(code: HTMLElement): void {
  import('../markdown/diagrams.ts')
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
