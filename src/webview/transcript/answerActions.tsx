import * as l10n from '@vscode/l10n';
import type { EntryEnd } from '../../shared/transcript.ts';
import { Ratings, UsageView } from '../lazyComponents.tsx';
import { CopyButton } from '../controls/buttons.tsx';
import { IconButton } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';
import { QuoteButton } from './quoteButton.tsx';
import type { AssistantItem } from '../state/items.ts';

interface Props {
  item: AssistantItem;
  end: EntryEnd;
  hasRetry: boolean;
  isNewest: boolean;
}

export function AnswerActions({ item, end, hasRetry, isNewest }: Props) {
  const { state, post } = usePanel();
  const app = item.app.value;
  const isBusy = state.status.value.type !== 'idle';
  const hasWords = item.text.value !== '' && !end.isStep;
  return (
    <div class="actions">
      {hasWords && <CopyButton text={() => item.text.peek()} />}
      {hasWords && <QuoteButton id={item.id} text={() => item.text.peek()} />}
      {!end.isStep && (end.failure ? end.failure.remedy.type !== 'retry' : !hasRetry) && (
        <IconButton
          name={l10n.t('Retry')}
          icon="refresh"
          disabled={isBusy}
          onClick={() => post({ type: 'retryTurn', id: item.id })}
        />
      )}
      {!end.isStep && (
        <IconButton
          name={l10n.t('Retry with Another Model…')}
          icon="arrow-swap"
          disabled={isBusy}
          onClick={() => post({ type: 'retryWithModel', id: item.id })}
        />
      )}
      {!end.isStep && !isNewest && (
        <IconButton
          name={l10n.t('Branch From Here')}
          title={l10n.t('Write another message after this answer')}
          icon="git-branch"
          disabled={isBusy}
          onClick={() => post({ type: 'branchFrom', id: item.id })}
        />
      )}
      {!app && (
        <IconButton
          name={l10n.t('View Request')}
          icon="inspect"
          onClick={() => post({ type: 'showSent', id: item.id })}
        />
      )}
      {app?.canRate && <Ratings id={item.id} app={app} hasText={hasWords} />}
      {end.usage && <UsageView id={item.id} usage={end.usage} />}
    </div>
  );
}
