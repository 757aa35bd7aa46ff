import * as l10n from '@vscode/l10n';
import type { Starter } from '../../shared/protocol.ts';
import { Icon } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';

export function StarterButtons({ starters }: { starters: readonly Starter[] }) {
  const { post } = usePanel();
  const use = (starter: Starter) =>
    post(starter === 'askKnowledge' ? { type: 'chooseKnowledge' } : { type: 'useStarter', starter });
  return (
    <div class="starters" role="group" aria-label={l10n.t('Suggestions')}>
      {starters.map((starter) => (
        <button key={starter} type="button" class="button secondary" onClick={() => use(starter)}>
          <Icon name={icons[starter]} />
          {labelOf(starter)}
        </button>
      ))}
    </div>
  );
}

const icons: Record<Starter, string> = {
  explainProject: 'folder',
  reviewChanges: 'source-control',
  askKnowledge: 'library',
};

function labelOf(starter: Starter): string {
  switch (starter) {
    case 'explainProject':
      return l10n.t('Explain This Project');
    case 'reviewChanges':
      return l10n.t('Review My Changes');
    case 'askKnowledge':
      return l10n.t('Ask a Knowledge Base…');
  }
}
