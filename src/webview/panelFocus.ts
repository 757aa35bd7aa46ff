import { useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { usePanel } from './panel.ts';

/** Where the user begins has the focus when the page was opened by the user, and when the host asks for it. */
export function usePanelFocus(start: { current: HTMLElement | null }): void {
  const { state } = usePanel();
  useEffect(() => {
    const focus = () => {
      // It would take away what was selected before the page was hidden.
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
  useSignalEffect(() => {
    // The picker closes when it loses the focus.
    if (state.focusWishes.value > 0 && !state.pickerOpen.peek()) start.current?.focus();
  });
}
