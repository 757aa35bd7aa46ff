import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ToolQuestion as Question } from '../../shared/tools.ts';
import { Icon } from '../icon.tsx';
import { usePanel } from '../panel.ts';
import { Arguments } from './arguments.tsx';
import { EditPreviewView } from './editPreview.tsx';

interface Props {
  id: string;
  question: Question;
}

/** What a call would do, and the user's say: allow it, allow the tool from now on, or deny it. */
export function ToolQuestion({ id, question: { preview, why, always } }: Props) {
  const { post, views } = usePanel();
  const [isDenying, setDenying] = useState(views.denial?.id === id);
  const answer = (decision: 'allow' | 'always') => post({ type: 'answerTool', id, decision });
  return (
    <div class="tool-question">
      {preview.type === 'edit'
        ? preview.files.map((file) => <EditPreviewView key={file.path} id={id} preview={file} />)
        : preview.rows.length > 0 && <Arguments given={preview} />}
      {why !== undefined && (
        <p class="note">
          <Icon name="shield" />
          <span>{why}</span>
        </p>
      )}
      {isDenying ? (
        <DenyForm id={id} onCancel={() => setDenying(false)} />
      ) : (
        <div class="tool-answers">
          <button type="button" class="button" onClick={() => answer('allow')}>
            {l10n.t('Allow')}
          </button>
          {why === undefined && (
            <button
              type="button"
              class="button secondary"
              title={always ?? l10n.t('Allow for this conversation')}
              onClick={() => answer('always')}
            >
              {l10n.t('Always allow')}
            </button>
          )}
          <button type="button" class="button secondary" onClick={() => setDenying(true)}>
            {l10n.t('Deny')}
          </button>
        </div>
      )}
    </div>
  );
}

/** Asks for the reason, which may be left out. What is typed outlives the page. */
function DenyForm({ id, onCancel }: { id: string; onCancel(): void }) {
  const { post, views } = usePanel();
  const reason = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => reason.current?.focus(), []);
  const cancel = () => {
    views.denial = undefined;
    onCancel();
  };
  const deny = () => {
    const why = reason.current?.value.trim();
    views.denial = undefined;
    post({ type: 'answerTool', id, decision: 'deny', ...(why && { reason: why }) });
  };
  return (
    <form
      class="deny-form"
      onSubmit={(event) => {
        event.preventDefault();
        deny();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing) return;
        // The key would stop the turn.
        event.preventDefault();
        cancel();
      }}
    >
      <input
        ref={reason}
        class="text-input"
        defaultValue={views.denial?.id === id ? views.denial.reason : ''}
        onInput={(event) => (views.denial = { id, reason: event.currentTarget.value })}
        aria-label={l10n.t('Reason for denying')}
        placeholder={l10n.t('Reason (optional, sent to the model)')}
      />
      <div class="tool-answers">
        <button type="submit" class="button">
          {l10n.t('Deny')}
        </button>
        <button type="button" class="button secondary" onClick={cancel}>
          {l10n.t('Cancel')}
        </button>
      </div>
    </form>
  );
}
