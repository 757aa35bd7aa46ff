import * as l10n from '@vscode/l10n';
import type { BranchTarget } from '../../shared/branches.ts';
import { Icon, IconButton } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';

export function BranchBar({ target: { kind } }: { target: BranchTarget }) {
  const { post } = usePanel();
  const text =
    kind === 'edit'
      ? l10n.t('Editing a message. The messages after it are kept as another version.')
      : l10n.t('Your message starts a branch. The messages after that answer are kept as another version.');
  return (
    <div class="branch-bar">
      <Icon name={kind === 'edit' ? 'edit' : 'git-branch'} />
      <span role="status">{text}</span>
      <IconButton
        name={l10n.t('Cancel')}
        title={l10n.t('Cancel (Escape)')}
        icon="close"
        onClick={() => post({ type: 'cancelBranch' })}
      />
    </div>
  );
}
