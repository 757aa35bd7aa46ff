/**
 * Gives the focus back to what had it when the panel was left, or to the message box where that is gone. For a dialog the
 * editor takes it from the element first: afterwards the page has the focus and no element in it, and keys go nowhere.
 */
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
      // It would take away what is selected.
      if (activeElement !== body || document.getSelection()?.type === 'Range') return;
      if (!(left instanceof HTMLElement)) return;
      const next = left.isConnected ? left : document.querySelector<HTMLElement>('.composer textarea');
      next?.focus({ preventScroll: true });
    },
    { signal },
  );
  return () => listeners.abort();
}
