import type { Clicked } from '../markdown/markdownClicks.ts';

/** Clicks on links and on the buttons of Markdown, which are drawn outside of the component tree. */
export function onTranscriptClick(event: MouseEvent, clicked: Omit<Clicked, 'entryId'>): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest('a[href]');
  if (link) {
    event.preventDefault();
    // The editor's frame opens any clicked link, even if the default was prevented.
    event.stopPropagation();
    clicked.panel.post({ type: 'openLink', href: link.getAttribute('href') ?? '' });
    return;
  }
  const button = event.button === 0 ? event.target.closest<HTMLElement>('.markdown button') : null;
  if (!button) return;
  // Streaming may replace the button before the code is loaded.
  const entryId = button.closest<HTMLElement>('[data-entry-id]')?.dataset['entryId'];
  import('../markdown/markdownClicks.ts')
    .then(({ onMarkdownClick }) => onMarkdownClick(button, { ...clicked, entryId }))
    .catch((error: unknown) => console.error(error));
}
