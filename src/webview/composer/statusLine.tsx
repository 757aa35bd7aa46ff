import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { formatDuration } from '../../base/text/formatTime.ts';
import type { Status } from '../../shared/transcript.ts';
import { Icon } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';

/** The state of the turn. The seconds are hidden from screen readers, which hear each kind of state once. */
export function StatusLine() {
  const { state, post } = usePanel();
  const status = state.status.value;
  return (
    <div class="status-line">
      <div class="status" role="status">
        {status.type !== 'idle' && (
          <>
            <Icon name="loading" spin />
            <span class="status-text">
              <StatusText status={status} />
            </span>
          </>
        )}
      </div>
      {status.type === 'retrying' && (
        <button type="button" class="link-button" onClick={() => post({ type: 'stopTurn' })}>
          {l10n.t('Cancel')}
        </button>
      )}
    </div>
  );
}

function StatusText({ status }: { status: Status }) {
  const nowMs = useClock(
    status.type === 'waiting' || status.type === 'retrying' || status.type === 'stalled',
  );
  switch (status.type) {
    case 'idle':
      return null;
    case 'runningElsewhere':
      return <>{l10n.t('Running in another window…')}</>;
    case 'connecting':
      return <>{l10n.t('Connecting…')}</>;
    case 'searching':
      return <>{l10n.t('Searching the knowledge bases…')}</>;
    case 'summarising':
      return <>{l10n.t('Summarizing earlier messages…')}</>;
    case 'answering':
      return <>{l10n.t('Answering…')}</>;
    case 'asking':
      return <>{l10n.t('Waiting for approval…')}</>;
    case 'uploading':
      return <>{l10n.t('Uploading {0}…', status.name)}</>;
    case 'runningStep':
      return <>{l10n.t('Running: {0}', status.title)}</>;
    case 'runningTools':
      return (
        <>
          {status.readsInput
            ? l10n.t('Running a command that reads input from its terminal…')
            : l10n.t('Running tools…')}
        </>
      );
    case 'waiting':
      return <Elapsed text={l10n.t('Waiting for the model…')} sinceMs={status.sinceMs} nowMs={nowMs} />;
    case 'stalled':
      return <Elapsed text={stallText(status.state)} sinceMs={status.sinceMs} nowMs={nowMs} />;
    case 'retrying': {
      const wait = inSeconds(Math.ceil((status.untilMs - nowMs) / 1000));
      return (
        <>
          <span aria-hidden="true">{l10n.t('Retrying in {0}: {1}', wait, status.why)}</span>
          <span class="sr-only">{l10n.t('Retrying soon: {0}', status.why)}</span>
        </>
      );
    }
  }
}

function stallText(state: Extract<Status, { type: 'stalled' }>['state']): string {
  switch (state) {
    case 'notStarted':
      return l10n.t("Not started yet: the platform's worker may be busy or down.");
    case 'noAnswer':
      return l10n.t('Accepted by the platform, no answer yet.');
    case 'noNews':
      return l10n.t('No response from the platform; the run may still be in progress.');
  }
}

function Elapsed({ text, sinceMs, nowMs }: { text: string; sinceMs: number; nowMs: number }) {
  return (
    <>
      {text}
      <span class="status-seconds" aria-hidden="true">
        {inSeconds(Math.floor((nowMs - sinceMs) / 1000))}
      </span>
    </>
  );
}

function inSeconds(seconds: number): string {
  return seconds > 0 ? formatDuration(seconds * 1000) : formatDuration(0, 'about');
}

/** The host's clock in epoch ms, each second while `running`. */
export function useClock(running: boolean): number {
  const { state } = usePanel();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (!running) return undefined;
    setNowMs(Date.now());
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return nowMs + state.hostAheadMs;
}
