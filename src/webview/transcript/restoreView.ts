import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { AutoScroll } from './autoScroll.ts';
import { usePanel } from '../state/panel.ts';
import { entryElement } from './scrollAnchor.ts';
import { selectedText, selectText } from '../controls/textSelection.ts';
import type { ScrollPosition } from '../state/savedViews.ts';

const keepMs = 100;

interface Parts {
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLElement | null>;
  follower: RefObject<AutoScroll | null>;
}

export function useRestoredView({ scroller, content, follower }: Parts, generation: number): () => void {
  const { state, views } = usePanel();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keeping = useRef(0);
  const isMoved = useRef(false);

  useLayoutEffect(() => {
    const { position, selection } = views;
    if (content.current && selection) selectText(content.current, selection);
    const { current: view } = scroller;
    const ids = state.items.peek().map(({ id }) => id);
    if (view && position && place(view, position, ids)) {
      follower.current?.stayAt(() => void place(view, position, ids));
    } else follower.current?.follow();
    return () => {
      // Pending saves belong to the previous conversation.
      follower.current?.release();
      cancelAnimationFrame(keeping.current);
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [generation]);

  useEffect(() => {
    let selecting: ReturnType<typeof setTimeout> | undefined;
    const onSelection = () => {
      clearTimeout(selecting);
      selecting = setTimeout(() => {
        if (content.current) views.selection = selectedText(content.current);
      }, keepMs);
    };
    document.addEventListener('selectionchange', onSelection);
    return () => {
      clearTimeout(selecting);
      document.removeEventListener('selectionchange', onSelection);
    };
  }, [views, generation]);

  const keep = () => {
    if (!scroller.current) return;
    views.position = follower.current?.isFollowing ? undefined : positionOf(scroller.current);
  };
  return () => {
    isMoved.current = timer.current !== undefined;
    if (isMoved.current) return;
    // By then the follower has handled the event.
    keeping.current = requestAnimationFrame(keep);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      if (isMoved.current) keep();
    }, keepMs);
  };
}

function positionOf(scroller: HTMLElement): ScrollPosition | undefined {
  const { left, top, width } = scroller.getBoundingClientRect();
  const entry = document
    .elementFromPoint(left + width / 2, top + 4)
    ?.closest<HTMLElement>('.entries > [data-entry-id]');
  const id = entry?.dataset['entryId'];
  return entry && id ? { id, offset: entry.getBoundingClientRect().top - top } : undefined;
}

/** An entry that isn't drawn yet has the position of the next drawn one. */
function place(scroller: HTMLElement, { id, offset }: ScrollPosition, ids: readonly string[]): boolean {
  const from = ids.indexOf(id);
  if (from < 0) return false;
  let entry: HTMLElement | null = null;
  for (let at = from; !entry && at < ids.length; at++) entry = entryElement(scroller, ids[at] ?? '');
  if (!entry) return false;
  const now = entry.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollTop += now - (entry.dataset['entryId'] === id ? offset : 0);
  return true;
}
