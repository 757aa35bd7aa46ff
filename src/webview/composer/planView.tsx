import * as l10n from '@vscode/l10n';
import type { Plan } from '../../shared/tools.ts';
import { Icon } from '../controls/icon.tsx';
import { useUnfolded } from '../state/panel.ts';

export function PlanView({ plan: { line, steps } }: { plan: Plan }) {
  const [open, setOpen] = useUnfolded('plan');
  return (
    <div class="plan" role="group" aria-label={l10n.t('Plan')}>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Icon name="chevron-right" />
          <span class="plan-line" title={line}>
            {line}
          </span>
        </summary>
        <ol role="list">
          {steps.map(({ text, state }, index) => (
            <li key={index} class={state}>
              <Icon name={icons[state]} />
              <span>{text}</span>
              <span class="plan-state">{inWords(state)}</span>
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}

type State = Plan['steps'][number]['state'];

const icons: Record<State, string> = {
  open: 'circle-outline',
  doing: 'arrow-right',
  done: 'check',
};

function inWords(state: State): string {
  switch (state) {
    case 'open':
      return l10n.t('not started');
    case 'doing':
      return l10n.t('in progress');
    case 'done':
      return l10n.t('done');
  }
}
