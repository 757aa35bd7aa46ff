import type { Panel } from './panel.ts';
import { sourceOf } from './markdown/citationButtons.ts';
import { codeActionOf } from './markdown/codeFrame.ts';
import { placeOf } from './markdown/placeButtons.ts';

/** How long a button says that it worked. */
const copiedMs = 1500;

/** Links, citations, places and the buttons of code blocks are drawn outside of the component tree, so their clicks are heard here. */
export function onTranscriptClick(event: MouseEvent, post: Panel['post']): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest('a[href]');
  if (link) {
    event.preventDefault();
    // The editor's own frame listens on the window and opens whatever link was clicked, prevented or not.
    event.stopPropagation();
    post({ type: 'openLink', href: link.getAttribute('href') ?? '' });
    return;
  }
  const n = event.button === 0 ? sourceOf(event.target) : undefined;
  const id = event.target.closest<HTMLElement>('[data-entry-id]')?.dataset['entryId'];
  if (n !== undefined && id !== undefined) return post({ type: 'openSource', id, n });
  const location = event.button === 0 ? placeOf(event.target) : undefined;
  if (location) return post({ type: 'openLocation', location });
  const clicked = event.button === 0 ? codeActionOf(event.target) : undefined;
  if (!clicked) return;
  const { action, text, button } = clicked;
  if (action === 'insert') return post({ type: 'insertText', text });
  post({ type: 'copyText', text });
  const icon = button.querySelector('.codicon');
  icon?.classList.replace('codicon-copy', 'codicon-check');
  setTimeout(() => icon?.classList.replace('codicon-check', 'codicon-copy'), copiedMs);
}
