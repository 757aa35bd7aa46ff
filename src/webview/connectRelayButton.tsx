import * as l10n from '@vscode/l10n';
import { usePanel } from './panel.ts';

export function ConnectRelayButton() {
  const { post } = usePanel();
  return (
    <button
      type="button"
      class="button"
      onClick={() => post({ type: 'applyRemedy', remedy: 'connectRelay' })}
    >
      {l10n.t('Connect Relay…')}
    </button>
  );
}
