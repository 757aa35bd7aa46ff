import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../../base/text/format.ts';
import { formatCompact, formatTokens } from '../../base/text/formatUsage.ts';
import type { ContextUse } from '../../shared/context.ts';
import { usePanel } from '../state/panel.ts';
import { useDismissal } from './popupDismissal.ts';
import { usageInWords } from '../transcript/usageView.tsx';

export function ContextMeter({ use }: { use: ContextUse }) {
  const { state } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  const open = state.choiceOpen.value === 'context';
  const share = shareOf(use);
  const { short, long } = shownUse(use, share);
  const close = (refocus: boolean) => {
    if (state.choiceOpen.peek() === 'context') state.choiceOpen.value = undefined;
    if (refocus) button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`icon-button context-button${share !== undefined && share >= fullShare ? ' full' : ''}`}
        aria-label={l10n.t('Context: {0}', long)}
        aria-haspopup="dialog"
        aria-expanded={open}
        title={inWords(use, share === undefined ? undefined : long)}
        onClick={() => {
          state.contextParts.value = undefined;
          state.choiceOpen.value = open ? undefined : 'context';
        }}
      >
        <span class="short">{short}</span>
        <span class="long">{long}</span>
      </button>
      {open && <ContextPopup button={button} use={use} close={close} />}
    </>
  );
}

const fullShare = 0.7;

interface PopupProps {
  button: RefObject<HTMLButtonElement | null>;
  use: ContextUse;
  close(refocus: boolean): void;
}

function ContextPopup({ button, use, close }: PopupProps) {
  const { state, post } = usePanel();
  const popup = useRef<HTMLDivElement>(null);
  const loaded = state.contextParts.value;
  const spent = loaded && usageInWords(loaded.spent);
  const isIdle = state.status.value.type === 'idle';
  const canCompact = loaded?.canCompact === true && isIdle;
  useLayoutEffect(() => popup.current?.focus(), []);
  useEffect(() => post({ type: 'loadContextParts' }), [use.tokens]);
  useDismissal(popup, button, close);
  return (
    <div ref={popup} class="popup context-popup" role="dialog" aria-label={l10n.t('Context')} tabIndex={-1}>
      <p>{inWords(use)}</p>
      {loaded && (
        <ul role="list" aria-label={l10n.t('Context usage')}>
          {loaded.parts.map(({ name, tokens }) => (
            <li key={name}>
              <span>{name}</span>
              <span>{formatNumber(tokens)}</span>
            </li>
          ))}
        </ul>
      )}
      {spent && <p class="context-spent">{l10n.t('Conversation: {0}', spent)}</p>}
      <button
        type="button"
        class="button secondary"
        aria-disabled={!canCompact}
        onClick={() => {
          if (!canCompact) return;
          post({ type: 'compactConversation' });
          close(true);
        }}
      >
        {l10n.t('Compact')}
      </button>
      <p class="context-note">
        {loaded?.canCompact === false
          ? l10n.t(
              'Compacting would free less than 20 % of the context: the newest messages always stay as they are.',
            )
          : l10n.t(
              'Replaces older messages with a summary for the model. They stay in the conversation, and the newest ones are sent unchanged.',
            )}
      </p>
    </div>
  );
}

function shareOf({ tokens, window }: ContextUse): number | undefined {
  return window === undefined ? undefined : tokens / window;
}

function shownUse({ tokens, window = 0 }: ContextUse, share: number | undefined) {
  if (share === undefined) return { short: formatCompact(tokens), long: formatTokens(tokens) };
  const percent = formatNumber(share * 100);
  return { short: l10n.t('{0} %', percent), long: l10n.t('{0} % of {1}', percent, formatCompact(window)) };
}

function inWords({ tokens, window, isCounted }: ContextUse, shown?: string): string {
  const tokensInWords =
    window === undefined
      ? formatTokens(tokens)
      : l10n.t('{0} of {1} tokens', formatNumber(tokens), formatNumber(window));
  const count = shown === undefined ? tokensInWords : l10n.t('{0} ({1})', shown, tokensInWords);
  return isCounted
    ? l10n.t('Context: {0}, reported by the server', count)
    : l10n.t('Context: {0}, estimated', count);
}
