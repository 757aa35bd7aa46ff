import * as l10n from '@vscode/l10n';
import { Icon } from '../controls/icon.tsx';
import { StarterButtons } from '../lazyComponents.tsx';
import { usePanel } from '../state/panel.ts';

export function EmptyHint() {
  const { state } = usePanel();
  const { fromEnvironment, ...connection } = state.connection.value;
  const isConnected = connection.state === 'connected';
  const { selected, relays } = state.models.value;
  const model = selected?.name;
  // With several relays, only that of the model.
  const address = relays ? selected?.relay : connection.address;
  const starters = state.starters.value;
  return (
    <div class="empty-hint">
      <span class="welcome-icon">
        <Icon name="comment-discussion" />
      </span>
      <p class="empty-title">{model ? l10n.t('Ask {0}', model) : startTitle(isConnected)}</p>
      {!model && (
        <button
          type="button"
          class={isConnected ? 'button' : 'button secondary'}
          onClick={() => (state.pickerOpen.value = true)}
        >
          {isConnected ? l10n.t('Choose Model…') : l10n.t('Choose App…')}
        </button>
      )}
      {model && starters.length > 0 && <StarterButtons starters={starters} />}
      {address && (
        <p class="empty-address">
          {fromEnvironment ? l10n.t('{0} (from the environment)', address) : address}
        </p>
      )}
      <p class="empty-keys">{l10n.t('Enter sends, Shift+Enter starts a new line.')}</p>
    </div>
  );
}

function startTitle(isConnected: boolean): string {
  return isConnected ? l10n.t('Choose a model to start') : l10n.t('Choose an app to start');
}
