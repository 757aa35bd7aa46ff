import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { AutoScroll } from './autoScroll.ts';
import { usePanel } from './panel.ts';
import { entryElement } from './scrollAnchor.ts';
import { selectedText, selectText } from './textSelection.ts';
import type { ScrollPosition } from './viewState.ts';

/** While the user scrolls or selects, it is saved at most this often. */
const keepMs = 100;

interface Parts {
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLElement | null>;
  follower: RefObject<AutoScroll | null>;
}

/**
 * Puts a conversation where the user left it, with what was selected, and keeps where that is.
 * @param generation of the full state that is shown
 * @returns to be called when the view was scrolled
 */
export function useKeptView({ scroller, content, follower }: Parts, generation: number): () => void {
  const { state, views } = usePanel();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keeping = useRef(0);
  /** Scrolled since it was saved last. */
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
      // What is still to be saved is of the conversation before.
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
    // By then the follower has heard of it, too.
    keeping.current = requestAnimationFrame(keep);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      if (isMoved.current) keep();
    }, keepMs);
  };
}

/** The entry at the upper edge. */
function positionOf(scroller: HTMLElement): ScrollPosition | undefined {
  const { left, top, width } = scroller.getBoundingClientRect();
  const entry = document
    .elementFromPoint(left + width / 2, top + 4)
    ?.closest<HTMLElement>('.entries > [data-entry-id]');
  const id = entry?.dataset['entryId'];
  return entry && id ? { id, offset: entry.getBoundingClientRect().top - top } : undefined;
}

/** An entry that is drawn when its part has been loaded stands where the next one that is drawn begins. */
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
