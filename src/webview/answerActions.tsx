import * as l10n from '@vscode/l10n';
import type { EntryEnd } from '../shared/transcript.ts';
import { Ratings } from './apps/parts.ts';
import { CopyButton } from './copyButton.tsx';
import { IconButton } from './icon.tsx';
import { usePanel } from './panel.ts';
import { quote } from './quote.ts';
import type { AssistantItem } from './state.ts';
import { UsageView } from './parts.ts';

interface Props {
  item: AssistantItem;
  end: EntryEnd;
  /** Where the answer was cut off, a button of that name stands above. */
  hasRetry: boolean;
  /** There is no newer answer. */
  isNewest: boolean;
}

/** What can be done with a finished answer, and what its turn cost. */
export function AnswerActions({ item, end, hasRetry, isNewest }: Props) {
  const panel = usePanel();
  const { state, post } = panel;
  const app = item.app.value;
  const isBusy = state.status.value.type !== 'idle';
  const hasWords = item.text.value !== '' && !end.isStep;
  return (
    <div class="actions">
      {hasWords && <CopyButton text={() => item.text.peek()} />}
      {hasWords && (
        <IconButton
          name={l10n.t('Quote')}
          icon="quote"
          onClick={() => quote(panel, item.id, item.text.peek())}
        />
      )}
      {/* The failure above may have this very button. */}
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
          name={l10n.t('What Was Sent')}
          icon="inspect"
          onClick={() => post({ type: 'showSent', id: item.id })}
        />
      )}
      {app?.canRate && <Ratings id={item.id} rating={app.rating} />}
      {end.usage && <UsageView id={item.id} usage={end.usage} />}
    </div>
  );
}
