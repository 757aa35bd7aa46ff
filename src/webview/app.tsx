import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import { Announcer } from './announcer.tsx';
import { Composer } from './composer.tsx';
import { DropTarget } from './dropTarget.tsx';
import { Icon } from './icon.tsx';
import { keepFocus } from './keepFocus.ts';
import { usePanel } from './panel.ts';
import { PanelNotices } from './panelNotices.tsx';
import { ComposerNotice } from './parts.ts';
import { StatusLine } from './statusLine.tsx';
import { Transcript } from './transcript.tsx';
import { Welcome } from './welcome.tsx';

export function App() {
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
  // With no connection and no app there is nobody to write to, but a conversation that exists can still be read.
  const hasApps = state.models.value.options.some(({ app }) => app);
  if (state.connection.value.state === 'none' && !hasChat && !hasApps) return <Welcome />;
  const { isSelectedUnlisted, missingRelay } = state.models.value;
  const cannotSend =
    isLoaded && (state.connection.value.state === 'none' || isSelectedUnlisted || missingRelay !== undefined);
  return (
    <main class="panel">
      <h1 class="sr-only">{l10n.t('Chat')}</h1>
      <Transcript />
      <StatusLine />
      <PanelNotices />
      {cannotSend && <ComposerNotice />}
      <Composer />
      <Announcer />
      <DropTarget />
    </main>
  );
}

/** Shown only when the host takes its time. */
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
