import * as l10n from '@vscode/l10n';
import { usePanel } from './panel.ts';

/** Stands over the message box while a conversation is shown and nobody is connected to go on with it. */
export function NotConnected() {
  const { state, post } = usePanel();
  if (state.connection.value.state !== 'none' || state.models.value.selected?.app) return null;
  return (
    <div class="not-connected">
      <span>{l10n.t('No relay is connected.')}</span>
      <button
        type="button"
        class="button"
        onClick={() => post({ type: 'applyRemedy', remedy: 'connectRelay' })}
      >
        {l10n.t('Connect Relay…')}
      </button>
    </div>
  );
}
