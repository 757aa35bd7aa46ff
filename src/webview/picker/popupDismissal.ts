import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

export function useDismissal(
  popup: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  close: (refocus: boolean) => void,
): void {
  useLayoutEffect(() => {
    const isInside = (target: EventTarget | null) =>
      target instanceof Node && (popup.current?.contains(target) || button.current?.contains(target));
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      close(true);
    };
    const onPointerDown = (event: PointerEvent) => {
      if (!isInside(event.target)) close(false);
    };
    const onFocusOut = (event: FocusEvent) => {
      if (event.relatedTarget && !isInside(event.relatedTarget)) close(false);
    };
    const element = popup.current;
    // Captured, since Escape in the panel stops the turn.
    document.addEventListener('keydown', onKeyDown, true);
    document.addEventListener('pointerdown', onPointerDown, true);
    element?.addEventListener('focusout', onFocusOut);
    return () => {
      document.removeEventListener('keydown', onKeyDown, true);
      document.removeEventListener('pointerdown', onPointerDown, true);
      element?.removeEventListener('focusout', onFocusOut);
    };
  }, []);
}
