import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { EntryEnd } from '../shared/transcript.ts';
import { Ratings } from './apps/parts.ts';
import { IconButton } from './icon.tsx';
import { usePanel } from './panel.ts';
import type { AssistantItem } from './state.ts';

/** How long the button says that it worked. */
const copiedMs = 1500;

/** What can be done with a finished answer, and what it cost. */
export function AnswerActions({ item, end }: { item: AssistantItem; end: EntryEnd }) {
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
      {item.text.value && (
        <IconButton name={l10n.t('Copy')} icon={copied ? 'check' : 'copy'} onClick={copy} />
      )}
      {/* The failure above has this very button. */}
      {end.failure?.remedy.type !== 'retry' && (
        <IconButton
          name={l10n.t('Retry')}
          icon="refresh"
          disabled={state.status.value.type !== 'idle'}
          onClick={() => post({ type: 'retryTurn', entryId: item.id })}
        />
      )}
      {app?.canRate && <Ratings entryId={item.id} rating={app.rating} />}
      <UsageView usage={end.usage} />
    </div>
  );
}

function UsageView({ usage }: { usage: EntryEnd['usage'] }) {
  if (!usage) return null;
  const { promptTokens, completionTokens, totalTokens, cachedTokens, reasoningTokens } = usage;
  const both = promptTokens !== undefined && completionTokens !== undefined;
  const sum = totalTokens ?? completionTokens ?? promptTokens;
  if (!both && sum === undefined) return null;
  const details = [
    promptTokens !== undefined && l10n.t('{0} tokens in', promptTokens),
    cachedTokens !== undefined && l10n.t('{0} of them cached', cachedTokens),
    completionTokens !== undefined && l10n.t('{0} tokens out', completionTokens),
    reasoningTokens !== undefined && l10n.t('{0} of them reasoning', reasoningTokens),
  ].filter(Boolean);
  return (
    <span class="usage" title={details.join(', ')}>
      {both ? l10n.t('{0} + {1} tokens', promptTokens, completionTokens) : l10n.t('{0} tokens', sum ?? 0)}
    </span>
  );
}
