import * as l10n from '@vscode/l10n';
import { usePanel } from '../state/panel.ts';

export function StartPlanButton({ id }: { id: string }) {
  const { state, post } = usePanel();
  const description = l10n.t('Switches to Agent and sends the plan unchanged');
  return (
    <div class="buttons plan-start" role="group" aria-label={l10n.t('Plan')}>
      <button
        type="button"
        class="button"
        title={description}
        aria-description={description}
        disabled={state.status.value.type !== 'idle'}
        onClick={() => post({ type: 'startPlan', id })}
      >
        {l10n.t('Start')}
      </button>
      <span class="note">{description}</span>
    </div>
  );
}

export function Handoffs() {
  const { state, post } = usePanel();
  const { handoffs = [] } = state.permissions.value ?? {};
  if (handoffs.length === 0) return null;
  return (
    <div class="buttons plan-start" role="group" aria-label={l10n.t('Next Steps')}>
      {handoffs.map(({ label, detail }, index) => (
        <button
          key={label}
          type="button"
          class="button secondary"
          title={detail}
          aria-description={detail}
          disabled={state.status.value.type !== 'idle'}
          onClick={() => post({ type: 'handOff', index, label })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
