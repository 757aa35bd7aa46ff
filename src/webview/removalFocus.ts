import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from './panel.ts';

/**
 * The focus must not be lost with the button of a chip that was removed: it goes to the one in its place, or to the
 * message box. What is returned is called with the place of a chip that is about to go.
 */
export function useRemovalFocus(
  list: RefObject<HTMLElement | null>,
  chips: unknown,
): (index: number) => void {
  const { state } = usePanel();
  const removedAt = useRef<number>(undefined);
  useLayoutEffect(() => {
    const at = removedAt.current;
    if (at === undefined) return;
    removedAt.current = undefined;
    const buttons = list.current?.querySelectorAll<HTMLElement>('.chip-remove') ?? [];
    const next = buttons[Math.min(at, buttons.length - 1)];
    if (next) next.focus();
    else state.focusWishes.value++;
  }, [chips]);
  return (index) => (removedAt.current = index);
}
