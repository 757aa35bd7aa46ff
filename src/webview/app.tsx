import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { Announcer } from './controls/announcer.tsx';
import { Composer } from './composer/composer.tsx';
import { DropTarget } from './composer/dropTarget.tsx';
import { Icon } from './controls/icon.tsx';
import { keepFocus, usePanelFocus } from './controls/focus.ts';
import { lazyComponent } from './controls/lazyComponent.tsx';
import { usePanel } from './state/panel.ts';
import { ComposerNotice, PanelNoticeList } from './lazyComponents.tsx';
import { StatusLine } from './composer/statusLine.tsx';
import { Transcript } from './transcript/transcript.tsx';
import { ConnectRelayButton } from './controls/buttons.tsx';

const AskedForm = lazyComponent(() => import('./apps/askedForm.tsx'), 'AskedForm');

export function App() {
  const { form } = usePanel().state;
  const asked = form.value;
  return (
    <>
      <Panel />
      {asked && <AskedForm key={asked.id} asked={asked} />}
    </>
  );
}

function Panel() {
  const { state, post } = usePanel();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      if (state.status.peek().type !== 'idle') post({ type: 'stopTurn' });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [state, post]);
  useEffect(keepFocus, []);

  const isLoaded = state.loaded.value;
  if (!isLoaded && !state.hasBox) return <Loading />;
  const hasChat = state.opening.value || state.items.value.length > 0;
  // Without a connection or an app nobody can answer, but an existing conversation can still be read.
  const hasApps = state.models.value.options.some(({ app }) => app);
  if (state.connection.value.state === 'none' && !hasChat && !hasApps) return <Welcome />;
  const { isSelectedUnlisted, missingRelay } = state.models.value;
  const { isRestricted } = state.tools.value;
  const isNoticed =
    isLoaded &&
    (state.connection.value.state === 'none' ||
      isSelectedUnlisted ||
      missingRelay !== undefined ||
      isRestricted);
  return (
    <main class="panel">
      <h1 class="sr-only">{l10n.t('Chat')}</h1>
      <Transcript />
      <StatusLine />
      <PanelNotices />
      {isNoticed && <ComposerNotice />}
      <Composer />
      <Announcer />
      <DropTarget />
    </main>
  );
}

function Loading() {
  return (
    <main class="loading">
      <p role="status">
        <Icon name="loading" spin />
        {l10n.t('Loading…')}
      </p>
    </main>
  );
}

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
          'Connect your model relay to chat with all of its models here. You need its address and your key. No other servers are contacted.',
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

export function PanelNotices() {
  const { state } = usePanel();
  // A form in front of the panel has them.
  const notices = state.form.value ? [] : state.notices.value;
  // Always present: a live region that appears with its content is not read out.
  return (
    <div class="panel-notices" aria-live="polite">
      {notices.length > 0 && <PanelNoticeList notices={notices} />}
    </div>
  );
}
