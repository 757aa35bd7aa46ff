import * as l10n from '@vscode/l10n';
import { ConnectRelayButton } from '../controls/buttons.tsx';
import { Icon, IconButton } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';

export function ComposerNotice() {
  const { state, post } = usePanel();
  const { selected, isSelectedUnlisted, missingRelay } = state.models.value;
  if (selected?.app) return null;
  if (state.connection.value.state === 'none') {
    return (
      <div class="composer-notice">
        <span>{l10n.t('No relay is connected.')}</span>
        <ConnectRelayButton />
      </div>
    );
  }
  if (missingRelay !== undefined) {
    return (
      <div class="composer-notice" role="alert">
        <span>
          {missingRelay
            ? l10n.t("The relay {0} isn't connected.", missingRelay)
            : l10n.t('The relay of this model is no longer connected.')}
        </span>
        <ConnectRelayButton />
      </div>
    );
  }
  if (!selected || !isSelectedUnlisted) return state.tools.value.isRestricted ? <RestrictedNotice /> : null;
  return (
    <div class="composer-notice" role="alert">
      <span>{l10n.t('"{0}" is no longer listed for your key.', selected.name)}</span>
      <span class="composer-notice-buttons">
        <button type="button" class="button" onClick={() => (state.pickerOpen.value = true)}>
          {l10n.t('Choose Another Model')}
        </button>
        <button
          type="button"
          class="button secondary"
          onClick={() => post({ type: 'selectModel', modelId: selected.id })}
        >
          {l10n.t('Use Anyway')}
        </button>
      </span>
    </div>
  );
}

function RestrictedNotice() {
  const { post } = usePanel();
  return (
    <div class="composer-notice">
      <span>{l10n.t('Restricted Mode: models read only what you attach.')}</span>
      <button type="button" class="button secondary" onClick={() => post({ type: 'trustWorkspace' })}>
        {l10n.t('Trust…')}
      </button>
    </div>
  );
}

export function BranchBar() {
  const { post } = usePanel();
  return (
    <div class="branch-bar">
      <Icon name="git-branch" />
      <span role="status">
        {l10n.t('Your message starts a branch. What follows that answer stays as another version.')}
      </span>
      <IconButton
        name={l10n.t('Cancel')}
        title={l10n.t('Cancel (Escape)')}
        icon="close"
        onClick={() => post({ type: 'cancelBranch' })}
      />
    </div>
  );
}
