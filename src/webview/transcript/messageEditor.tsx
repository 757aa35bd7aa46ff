import * as l10n from '@vscode/l10n';
import { useSignalEffect } from '@preact/signals';
import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ToHost } from '../../shared/protocol.ts';
import { Attachments } from '../composer/attachments.tsx';
import { DraftPoster } from '../composer/draftPoster.ts';
import { useMessageField } from '../composer/messageField.tsx';
import { hasContent, useSend } from '../composer/sending.tsx';
import type { EditBox } from '../state/pageState.ts';
import { type Panel, PanelContext, usePanel } from '../state/panel.ts';

/** The host closes it once the message is sent or the edit cancelled. */
export function MessageEditor({ box }: { box: EditBox }) {
  const panel = usePanel();
  const { inside, poster } = useMemo(() => panelOf(box, panel), [box]);
  useLayoutEffect(() => () => poster.dispose(), [poster]);
  return (
    <PanelContext.Provider value={inside}>
      <Editor box={box} />
    </PanelContext.Provider>
  );
}

/** Commands posted from inside name the message. */
function panelOf(box: EditBox, panel: Panel): { inside: Panel; poster: DraftPoster } {
  const name: Panel['post'] = (message) => panel.post({ ...message, box: box.id } as ToHost);
  const poster = new DraftPoster(name);
  const post: Panel['post'] = (message) => {
    poster.flush();
    name(message);
  };
  return { inside: { ...panel, box, drafts: poster, post }, poster };
}

function Editor({ box }: { box: EditBox }) {
  const { state, post } = usePanel();
  const field = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<HTMLDivElement>(null);
  const note = useId();
  const isBusy = state.status.value.type !== 'idle';
  const sendDraft = useSend();
  const send = () => {
    if (state.status.peek().type === 'idle') sendDraft();
  };
  const cancel = () => {
    state.editLeft = box.id;
    post({ type: 'cancelEdit', id: box.id });
  };
  const shown = useMessageField(field, send, ({ key, isComposing }) => {
    if (key !== 'Escape' || isComposing) return false;
    cancel();
    return true;
  });
  useSignalEffect(() => {
    if (box.focusWishes.value > 0) field.current?.focus();
  });
  useLayoutEffect(
    () => () => {
      // Sent, or no longer shown.
      const hasFocus = editor.current?.contains(document.activeElement);
      const isReturning = state.editLeft === box.id && state.items.peek().some(({ id }) => id === box.id);
      if (hasFocus && !isReturning) state.focusWishes.value++;
    },
    [],
  );
  return (
    <div class="message-edit" ref={editor}>
      <div class="composer-box">
        <div class="composer-chips">
          <Attachments />
        </div>
        <textarea
          ref={field}
          rows={1}
          aria-label={l10n.t('Edit Message')}
          aria-describedby={note}
          {...shown.attributes}
        />
      </div>
      {shown.mentions}
      {shown.offer}
      <p id={note} class="edit-note">
        {l10n.t(
          'Sending starts another version. This one stays, with all that follows it. Files are only changed back if you choose to.',
        )}
      </p>
      <div class="buttons">
        <button
          type="button"
          class="button"
          disabled={isBusy || !hasContent(box, box.draft.value)}
          title={isBusy ? l10n.t('Wait until this answer finishes, or stop it.') : undefined}
          onClick={send}
        >
          {l10n.t('Send')}
        </button>
        <button type="button" class="button secondary" title={l10n.t('Cancel (Escape)')} onClick={cancel}>
          {l10n.t('Cancel')}
        </button>
      </div>
    </div>
  );
}
