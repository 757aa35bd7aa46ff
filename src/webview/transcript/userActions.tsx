import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { CopyButton } from '../controls/buttons.tsx';
import { IconButton } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';
import { QuoteButton } from './quoteButton.tsx';
import type { UserItem } from '../state/items.ts';
import { Versions } from './versions.tsx';

/** Actions that change the branch wait for the end of the turn. */
export function UserActions({ item: { id, text, version } }: { item: UserItem }) {
  const { state, post } = usePanel();
  const edit = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (state.editLeft !== id) return;
    state.editLeft = undefined;
    edit.current?.querySelector('button')?.focus();
  }, []);
  const isBusy = state.status.value.type !== 'idle';
  return (
    <div class="user-actions">
      <span class="user-buttons" ref={edit}>
        <IconButton
          name={l10n.t('Edit')}
          title={l10n.t('Edit this message and send it again')}
          icon="edit"
          disabled={isBusy}
          onClick={() => post({ type: 'editMessage', id })}
        />
        {text.trim() && <CopyButton text={() => text} />}
        {text.trim() && <QuoteButton id={id} text={() => text} />}
        <IconButton
          name={l10n.t('Restore')}
          title={l10n.t('Restore files or the conversation to before this message')}
          icon="history"
          disabled={isBusy}
          onClick={() => post({ type: 'restoreCheckpoint', id })}
        />
        <IconButton
          name={l10n.t('Delete From Here')}
          title={l10n.t('Delete this message and all after it')}
          icon="trash"
          disabled={isBusy}
          onClick={() => post({ type: 'deleteFrom', id })}
        />
      </span>
      {version && <Versions id={id} version={version} />}
    </div>
  );
}
