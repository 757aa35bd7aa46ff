import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Keeps what is in view where it is when entries are put before the first one, whose id is given. */
export function useKeptPosition(scroller: RefObject<HTMLElement | null>, firstId: string | undefined): void {
  const known = useRef(firstId);
  const before = useRef<{ anchor: Element; top: number }>(null);
  if (known.current !== firstId) {
    // Still the old page: the new entries are drawn after this function returns.
    const anchor = scroller.current?.querySelector('article');
    before.current = anchor ? { anchor, top: anchor.getBoundingClientRect().top } : null;
    known.current = firstId;
  }
  useLayoutEffect(() => {
    const { anchor, top } = before.current ?? {};
    before.current = null;
    if (!anchor?.isConnected || top === undefined || !scroller.current) return;
    scroller.current.scrollTop += anchor.getBoundingClientRect().top - top;
  }, [firstId]);
}
