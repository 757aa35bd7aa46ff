import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { usePanel } from './panel.ts';

/** The person's say: allow, allow from now on, or deny with a reason that the model reads. */
export function ToolQuestion({ entryId }: { entryId: string }) {
  const { post } = usePanel();
  const reason = useRef<HTMLInputElement>(null);
  const answer = (decision: 'allow' | 'always' | 'deny') => {
    const why = reason.current?.value.trim();
    post({ type: 'answerTool', entryId, decision, ...(decision === 'deny' && why && { reason: why }) });
  };
  return (
    <form
      class="tool-question"
      onSubmit={(event) => {
        event.preventDefault();
        answer('deny');
      }}
    >
      <div class="tool-answers">
        <button type="button" class="button" onClick={() => answer('allow')}>
          {l10n.t('Allow')}
        </button>
        <button
          type="button"
          class="button secondary"
          title={l10n.t('Allow this tool until another chat is opened')}
          onClick={() => answer('always')}
        >
          {l10n.t('Always allow')}
        </button>
        <button type="submit" class="button secondary">
          {l10n.t('Deny')}
        </button>
      </div>
      <input
        ref={reason}
        class="text-input"
        aria-label={l10n.t('Reason for denying')}
        placeholder={l10n.t('Why not? The model reads this. (optional)')}
      />
    </form>
  );
}
