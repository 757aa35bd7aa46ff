import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { ConnectRelayButton } from './connectRelayButton.tsx';
import { usePanel } from './panel.ts';
import { usePanelFocus } from './panelFocus.ts';
import { PanelNotices } from './panelNotices.tsx';

/** What is shown before anything is connected. */
export function Welcome() {
  const { post } = usePanel();
  const connect = useRef<HTMLButtonElement>(null);
  usePanelFocus(connect);
  return (
    <main class="welcome">
      <span class="welcome-icon">
        <Icon name="comment-discussion" />
      </span>
      <h1>{l10n.t('Chat with your models')}</h1>
      <p>
        {l10n.t(
          'Connect your model relay to chat with all of its models here. You need its address and your key; nothing else is contacted.',
        )}
      </p>
      <ConnectRelayButton button={connect} />
      <button
        type="button"
        class="link-button"
        onClick={() => post({ type: 'applyRemedy', remedy: 'addApp' })}
      >
        {l10n.t('Add Platform App…')}
      </button>
      <PanelNotices />
    </main>
  );
}
