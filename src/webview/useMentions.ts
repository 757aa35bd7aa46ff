import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { MentionTyping } from './mentionTyping.ts';
import { withMention } from './mentionQuery.ts';
import { usePanel } from './panel.ts';

/**
 * Mentions in the message box.
 * @param onDraft takes the text that the choice of a mention leads to
 */
export function useMentions(
  box: { current: HTMLTextAreaElement | null },
  onDraft: (text: string) => void,
): { typing: MentionTyping; onCaret(): void; onFocus(): void } {
  const { state, post } = usePanel();
  /** Where the caret goes once the box has its new text. */
  const caret = useRef<number>(undefined);
  const draft = state.draft.value;
  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    box.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [draft]);

  const take = useRef(onDraft);
  take.current = onDraft;
  const typing = useMemo(
    () =>
      new MentionTyping(post, (mention, option) => {
        const chosen = withMention(state.draft.peek(), mention, option.label);
        caret.current = chosen.caret;
        take.current(chosen.text);
      }),
    [],
  );
  useSignalEffect(() => {
    const answer = state.mentionAnswer.value;
    if (answer) typing.found(answer);
  });
  return {
    typing,
    onCaret() {
      const element = box.current;
      if (element) typing.typed(element.value, element.selectionStart);
    },
    onFocus() {
      const element = box.current;
      if (element) typing.comeBack(element.value, element.selectionStart);
    },
  };
}
