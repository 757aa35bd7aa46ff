import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { EntryEnd } from '../shared/transcript.ts';
import { Ratings } from './apps/parts.ts';
import { IconButton } from './icon.tsx';
import { usePanel } from './panel.ts';
import type { AssistantItem } from './state.ts';
import { UsageView } from './parts.ts';

/** How long the button says that it worked. */
const copiedMs = 1500;

interface Props {
  item: AssistantItem;
  end: EntryEnd;
  /** Where the answer was cut off, a button of that name stands above. */
  hasRetry: boolean;
}

/** What can be done with a finished answer, and what its turn cost. */
export function AnswerActions({ item, end, hasRetry }: Props) {
  const { state, post } = usePanel();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const app = item.app.value;
  const copy = () => {
    post({ type: 'copyText', text: item.text.peek() });
    setCopied(true);
  };
  return (
    <div class="actions">
      {item.text.value && !end.isStep && (
        <IconButton name={l10n.t('Copy')} icon={copied ? 'check' : 'copy'} onClick={copy} />
      )}
      {/* The failure above may have this very button. */}
      {!end.isStep && (end.failure ? end.failure.remedy.type !== 'retry' : !hasRetry) && (
        <IconButton
          name={l10n.t('Retry')}
          icon="refresh"
          disabled={state.status.value.type !== 'idle'}
          onClick={() => post({ type: 'retryTurn', id: item.id })}
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
