import * as l10n from '@vscode/l10n';
import { untracked, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { IconButton } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';
import type { Box } from '../state/pageState.ts';

/** In ms; the same text sent again within this time, without an answer of the host, is a double press. */
const sameMessageMs = 1000;

export interface SendOptions {
  later?: boolean;
}

/** Sends the draft once the conversation is loaded. Without a model it opens the picker. */
export function useSend(): (options?: SendOptions) => void {
  const { state, box, post } = usePanel();
  const sendLater = useRef<SendOptions>(undefined);
  const send = (options: SendOptions = {}) => {
    const text = box.draft.peek();
    if (!hasContent(box, text) || wasJustSent(box, text)) return;
    if (state.opening.peek()) {
      sendLater.current = options;
      return;
    }
    const { selected, isSelectedUnlisted, options: models } = state.models.peek();
    if (!selected || isSelectedUnlisted) {
      const canChoose = state.connection.peek().state === 'connected' || models.some(({ app }) => app);
      if (canChoose) state.pickerOpen.value = true;
      else post({ type: 'applyRemedy', remedy: 'connectRelay' });
      return;
    }
    box.pasted.value = undefined;
    box.sent.value = text;
    box.sentAtMs = Date.now();
    post({ type: 'sendMessage', text, ...(options.later && { later: true }) });
  };
  useSignalEffect(() => {
    const options = state.opening.value ? undefined : sendLater.current;
    sendLater.current = undefined;
    if (options) untracked(() => send(options));
  });
  return send;
}

export function SendButtons({ onSend }: { onSend(options: SendOptions): void }) {
  const { state, box, post } = usePanel();
  const { type: status } = state.status.value;
  const canStop = status !== 'idle' && status !== 'runningElsewhere';
  const canSend = hasContent(box, box.draft.value);
  const onClick = (event: MouseEvent) => onSend({ later: event.altKey });
  return (
    <>
      {canStop && canSend && (
        <IconButton
          key="queue"
          class="send"
          name={l10n.t('Send')}
          title={
            state.models.value.selected?.app
              ? l10n.t('Send when this answer finishes')
              : l10n.t('Send after the current step. Alt+Enter: when this answer finishes')
          }
          icon="send"
          onClick={onClick}
        />
      )}
      {canStop ? (
        <IconButton
          key="action"
          class="send"
          name={l10n.t('Stop')}
          icon="debug-stop"
          // Ignores the second click of a double click on Send.
          onClick={(event: MouseEvent) => event.detail < 2 && post({ type: 'stopTurn' })}
        />
      ) : (
        <IconButton
          key="action"
          class="send"
          name={l10n.t('Send')}
          title={status === 'runningElsewhere' ? l10n.t('Send when this answer finishes') : l10n.t('Send')}
          icon="send"
          disabled={!state.loaded.value || !canSend}
          onClick={onClick}
        />
      )}
    </>
  );
}

export function hasContent(box: Pick<Box, 'attachments'>, text: string): boolean {
  return text.trim() !== '' || box.attachments.value.some(({ problem }) => !problem);
}

function wasJustSent(box: Box, text: string): boolean {
  return box.sent.peek() === text && Date.now() - box.sentAtMs < sameMessageMs;
}
