import type { RefObject, TextareaHTMLAttributes } from 'preact';
import { lazyComponent } from '../controls/lazyComponent.tsx';
import { usePanel } from '../state/panel.ts';
import { mentionListId, mentionNoteId, mentionOptionId, useMentions } from './mentionTyping.ts';
import { PasteOffer, usePasting } from './pasting.tsx';
import { hasContent, type SendOptions } from './sending.tsx';

const MentionList = lazyComponent(() => import('./mentionList.tsx'), 'MentionList');

type FieldEvent = KeyboardEvent & { currentTarget: HTMLTextAreaElement };

export function useMessageField(
  field: RefObject<HTMLTextAreaElement | null>,
  send: (options?: SendOptions) => void,
  /** Returns true if the key was handled. */
  onOtherKey: (event: FieldEvent) => boolean,
) {
  const { box, drafts } = usePanel();
  const onInput = (text: string) => {
    box.draft.value = text;
    box.typedAtMs = Date.now();
    drafts.changed(text);
  };
  const { typing, onCaret, onFocus } = useMentions(field, onInput);
  const open = typing.open.value;
  const mention = open?.options[open.active];
  const { onPaste } = usePasting();
  const attributes: TextareaHTMLAttributes = {
    dir: 'auto',
    'aria-autocomplete': 'list',
    ...(mention && {
      'aria-controls': mentionListId,
      'aria-activedescendant': mentionOptionId(mention),
    }),
    ...(open?.note && { 'aria-describedby': mentionNoteId }),
    value: box.draft.value,
    onInput(event) {
      onInput(event.currentTarget.value);
      onCaret();
    },
    onFocus,
    onBlur: () => typing.leave(),
    onPaste,
    onKeyDown(event) {
      if (typing.onKey(event, send) || onOtherKey(event)) {
        event.preventDefault();
        return;
      }
      // 229: Safari ends a composition before the key that ended it.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      // Ctrl+Alt+Enter denies a call.
      if ((event.ctrlKey || event.metaKey) && event.altKey) return;
      // Ctrl+Enter that sends a message must not reach the editor, where it allows a call.
      if (hasContent(box, box.draft.peek())) event.stopPropagation();
      if (!event.repeat) send({ later: event.altKey });
    },
  };
  return {
    attributes,
    onInput,
    mentions: open && <MentionList typing={typing} />,
    offer: <PasteOffer onDraft={onInput} />,
  };
}
