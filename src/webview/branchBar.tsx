import * as l10n from '@vscode/l10n';
import type { BranchTarget } from '../shared/branches.ts';
import { Icon, IconButton } from './icon.tsx';
import { usePanel } from './panel.ts';

/** Says that the next message does not go to the end of the conversation, and what becomes of what follows its place. */
export function BranchBar({ target: { kind } }: { target: BranchTarget }) {
  const { post } = usePanel();
  const text =
    kind === 'edit'
      ? l10n.t('Editing a message. What follows it now is kept as another version.')
      : l10n.t('Your message starts a branch. What follows that answer now is kept as another version.');
  return (
    <div class="branch-bar">
      <Icon name={kind === 'edit' ? 'edit' : 'git-branch'} />
      {/* Said when it appears, which is when the message box has the focus. */}
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
