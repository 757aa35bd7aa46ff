import * as l10n from '@vscode/l10n';
import type { PanelNotice } from '../../shared/protocol.ts';
import { Icon, IconButton } from './icon.tsx';
import { usePanel } from '../state/panel.ts';

const icons = { information: 'info', warning: 'warning', error: 'error' } as const;

export function PanelNoticeList({ notices }: { notices: readonly PanelNotice[] }) {
  const { state, post } = usePanel();
  const answer = (id: string, action?: string) => {
    post({ type: 'answerNotice', id, ...(action !== undefined && { action }) });
    // The focused button disappears.
    state.focusWishes.value++;
  };
  return (
    <>
      {notices.map(({ id, severity, text, actions, isProgress }) => (
        <div key={id} class={`panel-notice ${severity}`}>
          <Icon name={isProgress ? 'loading' : icons[severity]} spin={isProgress ?? false} />
          <span aria-live={isProgress ? 'off' : undefined}>{text}</span>
          <IconButton name={l10n.t('Dismiss')} icon="close" onClick={() => answer(id)} />
          {actions.length > 0 && (
            <span class="panel-notice-buttons">
              {actions.map((action, n) => (
                <button
                  key={action}
                  type="button"
                  class={n === 0 && !isProgress ? 'button' : 'button secondary'}
                  onClick={() => answer(id, action)}
                >
                  {action}
                </button>
              ))}
            </span>
          )}
        </div>
      ))}
    </>
  );
}
