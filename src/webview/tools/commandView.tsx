import * as l10n from '@vscode/l10n';
import { formatDuration } from '../../base/text/formatTime.ts';
import type { CommandView as Command } from '../../shared/tools.ts';
import { useClock } from '../composer/statusLine.tsx';
import { usePanel } from '../state/panel.ts';

interface Props {
  id: string;
  command: Command;
  durationMs: number | undefined;
  hasLines: boolean;
}

export function CommandView({ id, command: { lines, sinceMs, hasTerminal }, durationMs, hasLines }: Props) {
  const { post } = usePanel();
  const nowMs = useClock(sinceMs !== undefined);
  const takenMs =
    sinceMs === undefined ? durationMs : Math.max(0, Math.floor((nowMs - sinceMs) / 1000)) * 1000;
  return (
    <div class="command-view">
      {hasLines && lines !== '' && (
        <pre role="group" aria-label={l10n.t('Newest output')}>
          {lines}
        </pre>
      )}
      <div class="command-foot">
        {takenMs !== undefined && (
          <span class="tool-state">{formatDuration(takenMs, sinceMs ? 'about' : 'exact')}</span>
        )}
        {hasTerminal && (
          <button type="button" class="link-button" onClick={() => post({ type: 'showTerminal', id })}>
            {l10n.t('Show Terminal')}
          </button>
        )}
      </div>
    </div>
  );
}
