import * as l10n from '@vscode/l10n';
import { Icon, IconButton } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';

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
