import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { QueuedMessage } from '../../shared/protocol.ts';
import { Icon, IconButton } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';
import { useRemovalFocus } from '../controls/focus.ts';

export function QueuedMessages({ queue }: { queue: readonly QueuedMessage[] }) {
  const { state, post } = usePanel();
  const list = useRef<HTMLUListElement>(null);
  const onRemove = useRemovalFocus(list, queue);
  const [first] = queue;
  const { type: status } = state.status.value;
  const isPaused = status === 'idle';
  return (
    <div class="queue">
      {isPaused && first && (
        <p class="queue-note">
          {l10n.t('The queue is paused.')}{' '}
          <button
            type="button"
            class="link-button"
            onClick={() => post({ type: 'sendQueued', id: first.id })}
          >
            {l10n.t('Resume')}
          </button>
        </p>
      )}
      <ul role="list" aria-label={l10n.t('Queued messages')} ref={list}>
        {queue.map(({ id, text, attachments, steers }, index) => (
          <li key={id}>
            <span class="queue-text" title={text}>
              {text.trim() || inWords(attachments)}
            </span>
            {attachments > 0 && text.trim() && (
              <span class="queue-attachments" title={inWords(attachments)}>
                <Icon name="attach" />
                {formatNumber(attachments)}
              </span>
            )}
            {!isPaused && (
              <span class="queue-when">{steers ? l10n.t('After this step') : l10n.t('Later')}</span>
            )}
            {status !== 'runningElsewhere' && (
              <IconButton
                name={l10n.t('Send Now')}
                title={isPaused ? l10n.t('Send Now') : l10n.t('Stop the current answer and send this now')}
                icon="send"
                onClick={() => post({ type: 'sendQueued', id })}
              />
            )}
            <IconButton name={l10n.t('Edit')} icon="edit" onClick={() => post({ type: 'editQueued', id })} />
            <IconButton
              class="chip-remove"
              name={l10n.t('Remove')}
              icon="close"
              onClick={() => {
                onRemove(index);
                post({ type: 'removeQueued', id });
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function inWords(attachments: number): string {
  return plural(attachments, l10n.t('1 attachment'), l10n.t('{0} attachments', formatNumber(attachments)));
}
