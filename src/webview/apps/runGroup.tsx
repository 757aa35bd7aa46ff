import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import { formatDuration } from '../../base/text/formatTime.ts';
import { formatTokens } from '../../base/text/formatUsage.ts';
import { statusLabel, type AppStep } from '../../shared/apps.ts';
import { Icon } from '../controls/icon.tsx';
import { useUnfolded } from '../state/panel.ts';

interface Props {
  id: string;
  steps: readonly AppStep[];
  hasEnded: boolean;
  hasFailed: boolean;
  isWaiting: boolean;
}

export function RunGroup({ id, steps: known, hasEnded, hasFailed, isWaiting }: Props) {
  const steps = hasEnded ? known.map((step) => ended(step, isWaiting)) : known;
  const [open, setOpen] = useUnfolded(`${id}:run`);
  const name = l10n.t('Run');
  const current = steps.findLast(({ status }) => status === 'running' || status === 'retrying');
  // An agent recovers from failures inside its step.
  const failed = steps.find(({ status, depth = 0 }) => status === 'failed' && (depth === 0 || hasFailed));
  const waiting = steps.find(({ status }) => status === 'paused');
  const now = failed ?? waiting ?? (hasEnded ? undefined : current);
  const count = plural(steps.length, l10n.t('1 step'), l10n.t('{0} steps', formatNumber(steps.length)));
  return (
    <div class="tool run" role="group" aria-label={name}>
      <details
        class={`tool-card ${failed ? 'failed' : ''}`}
        open={open}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>
          <Icon
            name={iconOf(failed ?? (hasEnded ? waiting : undefined), hasEnded)}
            spin={!failed && !hasEnded}
          />
          <span class="run-name">{name}</span>
          <span class="tool-summary" title={now?.title}>
            {now?.title}
          </span>
          <span class="tool-state">{now && hasEnded ? inWords(now) : count}</span>
          <Icon name="chevron-right" />
        </summary>
        {open && (
          <ol class="steps" role="list" aria-label={l10n.t('Steps')}>
            {steps.map((step) => (
              <StepRow key={step.id} step={step} />
            ))}
          </ol>
        )}
      </details>
    </div>
  );
}

function ended(step: AppStep, isWaiting: boolean): AppStep {
  return step.status === 'running' ? { ...step, status: isWaiting ? 'paused' : 'stopped' } : step;
}

function iconOf(step: AppStep | undefined, hasEnded: boolean): string {
  return step ? icons[step.status] : hasEnded ? 'check' : 'loading';
}

function StepRow({ step }: { step: AppStep }) {
  const { title, status, error, round, retries, tokens, depth = 0, detail } = step;
  const facts = [
    round !== undefined && l10n.t('round {0}', round),
    retries !== undefined && l10n.t('retries: {0}', retries),
    tokens !== undefined && tokens > 0 && formatTokens(tokens),
    inWords(step),
  ].filter(Boolean);
  return (
    <li class={`step ${status}`} style={depth > 0 ? { paddingInlineStart: `${depth}em` } : undefined}>
      <div class="step-line">
        <Icon name={icons[status]} spin={status === 'running'} />
        <span class="step-title">{title}</span>
        <span class="tool-state">{facts.join(' · ')}</span>
      </div>
      {detail && <p class="step-detail">{detail}</p>}
      {error && <p class="step-error">{error}</p>}
    </li>
  );
}

const icons: Record<AppStep['status'], string> = {
  running: 'loading',
  succeeded: 'check',
  failed: 'warning',
  stopped: 'debug-stop',
  paused: 'debug-pause',
  retrying: 'refresh',
  unknown: 'circle-outline',
};

function inWords({ status, elapsedMs }: AppStep): string {
  if (status === 'unknown') return '';
  if (status === 'succeeded' && elapsedMs !== undefined) return formatDuration(elapsedMs);
  return statusLabel(status);
}
