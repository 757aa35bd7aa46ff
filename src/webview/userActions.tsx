import * as l10n from '@vscode/l10n';
import { IconButton } from './icon.tsx';
import { usePanel } from './panel.ts';
import type { UserItem } from './state.ts';
import { Versions } from './versions.tsx';

/** What can be done at a message: restore the state before it, and go to its other versions. */
export function UserActions({ item: { id, version } }: { item: UserItem }) {
  const { state, post } = usePanel();
  return (
    <div class="user-actions">
      {version && <Versions id={id} version={version} />}
      <IconButton
        name={l10n.t('Restore')}
        title={l10n.t('Restore files or the conversation to before this message')}
        icon="history"
        disabled={state.status.value.type !== 'idle'}
        onClick={() => post({ type: 'restoreCheckpoint', id })}
      />
    </div>
  );
}
