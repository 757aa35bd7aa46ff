import * as l10n from '@vscode/l10n';
import { Icon, IconButton } from './icon.tsx';
import { usePanel } from './panel.ts';

/**
 * Why something that was clicked in the panel did not happen. A notification of the editor would lie over the message
 * box.
 */
export function PanelNotice() {
  const { state } = usePanel();
  const text = state.notice.value;
  return (
    <div class="panel-notice" aria-live="polite">
      {text !== undefined && (
        <>
          <Icon name="info" />
          <span>{text}</span>
          <IconButton
            name={l10n.t('Dismiss')}
            icon="close"
            onClick={() => {
              state.notice.value = undefined;
              state.focusWishes.value++;
            }}
          />
        </>
      )}
    </div>
  );
}
