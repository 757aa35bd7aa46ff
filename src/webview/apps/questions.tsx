import * as l10n from '@vscode/l10n';
import { usePanel } from '../panel.ts';

/** Questions that an app suggests; clicking one asks it. */
export function Questions({ questions }: { questions: readonly string[] }) {
  const { state, post } = usePanel();
  if (questions.length === 0) return null;
  const isBusy = state.status.value.type !== 'idle';
  return (
    <div class="questions" role="group" aria-label={l10n.t('Suggested questions')}>
      {questions.map((text) => (
        <button
          key={text}
          type="button"
          class="question"
          disabled={isBusy}
          onClick={() => post({ type: 'sendSuggestion', text })}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
