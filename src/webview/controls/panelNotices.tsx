import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { formatNumber } from '../../base/text/format.ts';
import type { PanelNotice } from '../../shared/protocol.ts';
import { Icon, IconButton } from './icon.tsx';
import { usePanel } from '../state/panel.ts';

const icons = { information: 'info', warning: 'warning', error: 'error' } as const;

/** The editor's own notifications take about as long. Errors stay until the user moves on. */
const newsMs = { information: 10_000, warning: 20_000, error: undefined } as const;

export function PanelNoticeList({ notices }: { notices: readonly PanelNotice[] }) {
  const { state, post } = usePanel();
  const [chosen, setChosen] = useState<string>();
  const [held, setHeld] = useState(false);
  const newest = notices.length - 1;
  const newestId = notices[newest]?.id;
  useEffect(() => setChosen(undefined), [newestId]);
  const found = notices.findIndex(({ id }) => id === chosen);
  const at = found < 0 ? newest : found;
  const notice = notices[at];
  const fadesAfterMs = notice?.actions.length === 0 && !held ? newsMs[notice.severity] : undefined;
  useEffect(() => {
    if (!notice || fadesAfterMs === undefined) return;
    const timer = setTimeout(() => post({ type: 'answerNotice', id: notice.id }), fadesAfterMs);
    return () => clearTimeout(timer);
  }, [notice?.id, fadesAfterMs]);
  if (!notice) return null;
  const { id, severity, text, actions, isProgress } = notice;
  const answer = (action?: string) => {
    post({ type: 'answerNotice', id, ...(action !== undefined && { action }) });
    state.focusWishes.value++;
  };
  return (
    <div
      key={id}
      class={`panel-notice ${severity}`}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <Icon name={isProgress ? 'loading' : icons[severity]} spin={isProgress ?? false} />
      <span aria-live={isProgress ? 'off' : undefined} title={text}>
        {text}
      </span>
      <span class="panel-notice-icons">
        {notices.length > 1 && (
          <IconButton
            name={l10n.t('Next Notice')}
            icon="chevron-up"
            title={l10n.t('{0} of {1}', formatNumber(at + 1), formatNumber(notices.length))}
            onClick={() => setChosen(notices.at(at - 1)?.id)}
          />
        )}
        <IconButton name={l10n.t('Dismiss')} icon="close" onClick={() => answer()} />
      </span>
      {actions.length > 0 && (
        <span class="panel-notice-buttons">
          {actions.map((action, n) => (
            <button
              key={action}
              type="button"
              class={n === 0 && !isProgress ? 'button' : 'button secondary'}
              onClick={() => answer(action)}
            >
              {action}
            </button>
          ))}
        </span>
      )}
    </div>
  );
}
