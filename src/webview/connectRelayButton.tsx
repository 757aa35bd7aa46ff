import * as l10n from '@vscode/l10n';
import type { Ref } from 'preact';
import { usePanel } from './panel.ts';

export function ConnectRelayButton({ button }: { button?: Ref<HTMLButtonElement> }) {
  const { post } = usePanel();
  return (
    <button
      ref={button}
      type="button"
      class="button"
      onClick={() => post({ type: 'applyRemedy', remedy: 'connectRelay' })}
    >
      {l10n.t('Connect Relay…')}
    </button>
  );
}
