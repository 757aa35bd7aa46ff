import * as l10n from '@vscode/l10n';
import { assertNever } from '../../base/assertNever.ts';
import type { AnswerApp } from '../../shared/apps.ts';
import { Icon } from '../icon.tsx';
import { usePanel } from '../panel.ts';

interface Props {
  id: string;
  awaits: NonNullable<AnswerApp['awaits']>;
}

/** What the run of an answer waits for, and the ways to go on. */
export function AwaitedInput({ id, awaits: { titles, place } }: Props) {
  const { post } = usePanel();
  const { text, action } = wordsFor(place);
  return (
    <div class="awaited" role="group" aria-label={l10n.t('Waiting for human input')}>
      <p class="note">
        <Icon name="debug-pause" />
        <span>
          {titles.length > 0 && <strong>{titles.join(', ')}</strong>}
          <span>{text}</span>
        </span>
      </p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => post({ type: 'provideInput', id })}>
          {action}
        </button>
        <button type="button" class="button secondary" onClick={() => post({ type: 'stopWaiting', id })}>
          {l10n.t('Stop Waiting')}
        </button>
      </div>
    </div>
  );
}

function wordsFor(place: Props['awaits']['place']): { text: string; action: string } {
  switch (place) {
    case 'here':
      return {
        text: l10n.t('Waiting for human input to continue this answer.'),
        action: l10n.t('Fill In Form…'),
      };
    case 'platform':
      return {
        text: l10n.t('Waiting for human input on the platform. Provide it there to continue this answer.'),
        action: l10n.t('Check Status'),
      };
    case 'submitted':
      return {
        text: l10n.t('The form was submitted. The rest of this answer was not loaded yet.'),
        action: l10n.t('Check Status'),
      };
    default:
      return assertNever(place);
  }
}
