import { effect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import { usePanel } from '../state/panel.ts';

export function usePanelFocus(start: { current: HTMLElement | null }): void {
  const { state } = usePanel();
  useEffect(() => {
    const focus = () => {
      if (document.getSelection()?.type === 'Range') return;
      if (document.activeElement === document.body || !document.activeElement) start.current?.focus();
    };
    if (document.hasFocus()) {
      focus();
      return undefined;
    }
    window.addEventListener('focus', focus, { once: true });
    return () => window.removeEventListener('focus', focus);
  }, []);
  // At once: a component's effect waits for a frame, in which it would take the focus from an entry shown after it.
  useEffect(
    () =>
      effect(() => {
        if (state.focusWishes.value > 0 && !state.pickerOpen.peek()) start.current?.focus();
      }),
    [],
  );
}

/** Restores the panel's focus, else focuses the box: the editor's dialogs blur the element before the page. */
export function keepFocus(): () => void {
  let last: EventTarget | null = null;
  let left: EventTarget | null = null;
  const listeners = new AbortController();
  const { signal } = listeners;
  window.addEventListener('focusout', ({ target }) => (last = target), { signal });
  window.addEventListener('blur', () => (left = last), { signal });
  window.addEventListener(
    'focus',
    () => {
      const { activeElement, body } = document;
      // Focusing would clear the selection.
      if (activeElement !== body || document.getSelection()?.type === 'Range') return;
      if (!(left instanceof HTMLElement)) return;
      const next = left.isConnected ? left : document.querySelector<HTMLElement>('.composer textarea');
      next?.focus({ preventScroll: true });
    },
    { signal },
  );
  return () => listeners.abort();
}

export function useRemovalFocus(
  list: RefObject<HTMLElement | null>,
  chips: unknown,
): (index: number) => void {
  const { box } = usePanel();
  const removedAt = useRef<number>(undefined);
  useLayoutEffect(() => {
    const at = removedAt.current;
    if (at === undefined) return;
    removedAt.current = undefined;
    const buttons = list.current?.querySelectorAll<HTMLElement>('.chip-remove') ?? [];
    const next = buttons[Math.min(at, buttons.length - 1)];
    if (next) next.focus();
    else box.focusWishes.value++;
  }, [chips]);
  return (index) => (removedAt.current = index);
}
