import type { Panel } from '../state/panel.ts';

/** Links of Markdown are opened by the host. */
export function onLinkClick(event: MouseEvent, post: Panel['post']): void {
  const link = event.target instanceof Element && event.target.closest('a[href]');
  if (!link) return;
  event.preventDefault();
  // The editor's frame opens any clicked link, even if the default was prevented.
  event.stopPropagation();
  post({ type: 'openLink', href: link.getAttribute('href') ?? '' });
}
