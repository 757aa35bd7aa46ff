import * as l10n from '@vscode/l10n';
import { formatDuration, formatNumber, formatTokens, plural } from '../../base/format.ts';
import { statusLabel, type AppStep } from '../../shared/apps.ts';
import { Icon } from '../icon.tsx';
import { useUnfolded } from '../viewState.ts';

interface Props {
  id: string;
  steps: readonly AppStep[];
  /** The answer has ended, and so have the steps. */
  hasEnded: boolean;
  /** And so has the run, in failure. */
  hasFailed: boolean;
  /** For input: what had not ended goes on after it. */
  isWaiting: boolean;
}

/** The flow that an app goes through: what it does now, and all of it to unfold. */
export function RunGroup({ id, steps: known, hasEnded, hasFailed, isWaiting }: Props) {
  const steps = hasEnded ? known.map((step) => ended(step, isWaiting)) : known;
  const [open, setOpen] = useUnfolded(`${id}:run`);
  const name = l10n.t('Run');
  const current = steps.findLast(({ status }) => status === 'running' || status === 'retrying');
  // An agent gets over what fails within its step.
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

/** What had not ended by then ends, or waits, with its answer. */
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
