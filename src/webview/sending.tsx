import * as l10n from '@vscode/l10n';
import { untracked, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { IconButton } from './icon.tsx';
import { usePanel } from './panel.ts';
import type { PageState } from './state.ts';

/** What is typed a second time within this, while the host has not answered, was not meant twice. */
const sameMessageMs = 1000;

interface SendOptions {
  /** After the answer that runs, and not between its calls. */
  later?: boolean;
}

/** Sends the draft, as soon as the conversation is there; where no model is chosen, asks for one instead. */
export function useSend(): (options?: SendOptions) => void {
  const { state, post } = usePanel();
  /** How to send when the conversation is there, if the user already wants to. */
  const sendLater = useRef<SendOptions>(undefined);
  const send = (options: SendOptions = {}) => {
    const text = state.draft.peek();
    if (!saysSomething(state, text) || wasJustSent(state, text)) return;
    if (state.opening.peek()) {
      sendLater.current = options;
      return;
    }
    const { selected, isSelectedUnlisted, options: models } = state.models.peek();
    if (!selected || isSelectedUnlisted) {
      // Without a relay there is nothing to choose from but apps.
      const canChoose = state.connection.peek().state === 'connected' || models.some(({ app }) => app);
      if (canChoose) state.pickerOpen.value = true;
      else post({ type: 'applyRemedy', remedy: 'connectRelay' });
      return;
    }
    state.longPaste.value = undefined;
    state.sent.value = text;
    state.sentAtMs = Date.now();
    post({ type: 'sendMessage', text, ...(options.later && { later: true }) });
  };
  useSignalEffect(() => {
    const options = state.opening.value ? undefined : sendLater.current;
    sendLater.current = undefined;
    if (options) untracked(() => send(options));
  });
  return send;
}

/** Send, or Stop while a turn runs; both where something is typed that can wait for it. */
export function SendButtons({ onSend }: { onSend(options: SendOptions): void }) {
  const { state, post } = usePanel();
  const { type: status } = state.status.value;
  /** What runs here can be stopped here. */
  const canStop = status !== 'idle' && status !== 'runningElsewhere';
  const canSend = saysSomething(state, state.draft.value);
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
              ? l10n.t('Send when this answer has ended')
              : l10n.t('Send after the current step. Alt+Enter: when this answer has ended')
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
          // The second click of a double click on Send is not meant for Stop.
          onClick={(event: MouseEvent) => event.detail < 2 && post({ type: 'stopTurn' })}
        />
      ) : (
        <IconButton
          key="action"
          class="send"
          name={l10n.t('Send')}
          title={status === 'runningElsewhere' ? l10n.t('Send when this answer has ended') : l10n.t('Send')}
          icon="send"
          disabled={!state.loaded.value || !canSend}
          onClick={onClick}
        />
      )}
    </>
  );
}

/** What goes with a message can be a message by itself. */
function saysSomething(state: PageState, text: string): boolean {
  return text.trim() !== '' || state.attachments.value.some(({ problem }) => !problem);
}

/** Sent by a press before this one; after a while without an answer it may be sent again. */
function wasJustSent(state: PageState, text: string): boolean {
  return state.sent.peek() === text && Date.now() - state.sentAtMs < sameMessageMs;
}
