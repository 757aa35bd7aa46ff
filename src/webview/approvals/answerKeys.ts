import { effect, signal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { hasContent } from '../composer/sending.tsx';
import type { PageState } from '../state/pageState.ts';
import { type Panel, usePanel } from '../state/panel.ts';
import { KeyGuard } from './keyGuard.ts';

const isMac = navigator.userAgent.includes('Macintosh');

/** The keys that package.json binds. */
export const shortcuts = isMac
  ? { allow: 'Cmd+Enter', deny: 'Cmd+Alt+Enter' }
  : { allow: 'Ctrl+Enter', deny: 'Ctrl+Alt+Enter' };

interface KeyRules {
  isFolded?: true | undefined;
  isDenying: boolean;
  needsFocus: boolean;
}

/** Presses the question's own buttons for the keys of `allowCall` and `denyCall`. */
export function useAnswerKeys(
  box: RefObject<HTMLElement | null>,
  { isFolded, isDenying, needsFocus }: KeyRules,
): void {
  const { state, post } = usePanel();
  // A new guard once unfolded: the rest of the call has to be read, too.
  const guard = useMemo(() => new KeyGuard(() => performance.now()), [isFolded]);
  useEffect(() => watchQuestion(box.current, guard, state), [guard, isDenying]);
  useEffect(() => tellFocus(post), []);
  useSignalEffect(() => {
    const pressed = state.answerKey.value;
    const question = box.current;
    if (!pressed || question !== document.querySelector('.tool-question')) return;
    state.answerKey.value = undefined;
    const isMeant = guard.takeKey(isTyping(state));
    if (!guard.isShown) return question?.scrollIntoView({ block: 'nearest' });
    if (pressed.decision === 'deny') return press(question, 'deny');
    if (!isMeant) return;
    const entry = question?.closest<HTMLElement>('.entry');
    if (needsFocus && entry && !entry.contains(document.activeElement)) {
      entry.tabIndex = -1;
      entry.focus();
    } else press(question, 'allow');
  });
}

/** The editor has no context key for the focus of a view's page. */
function tellFocus(post: Panel['post']): () => void {
  const listeners = new AbortController();
  const ended = { signal: listeners.signal };
  const tell = (hasFocus: boolean) => post({ type: 'questionFocused', hasFocus });
  tell(document.hasFocus());
  window.addEventListener('focus', () => tell(true), ended);
  window.addEventListener('blur', () => tell(false), ended);
  return () => {
    listeners.abort();
    tell(false);
  };
}

function watchQuestion(question: HTMLElement | null, guard: KeyGuard, state: PageState): () => void {
  const answers = question?.querySelector('.tool-answers');
  const isInView = signal(false);
  const inView = new IntersectionObserver(([entry]) => (isInView.value = entry?.isIntersecting ?? false), {
    threshold: 1,
  });
  // A form is in front of the question.
  const stopShowing = effect(() => guard.setShown(isInView.value && !state.form.value));
  if (answers) inView.observe(answers);
  const onKeyDown = (event: KeyboardEvent) => {
    const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    guard.keyDown(event.repeat, isLetter || event.isComposing || isTyping(state));
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
  return () => {
    inView.disconnect();
    stopShowing();
    window.removeEventListener('keydown', onKeyDown, { capture: true });
  };
}

function press(question: HTMLElement | null, answer: 'allow' | 'deny'): void {
  question?.querySelector<HTMLElement>(`[data-answer=${answer}]`)?.click();
}

function isTyping(state: PageState): boolean {
  const { activeElement } = document;
  const isField = activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
  return hasContent(state, state.draft.peek()) || (isField && activeElement.value.trim() !== '');
}
