import * as l10n from '@vscode/l10n';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { FormView } from '../../shared/apps.ts';
import { shortcuts } from '../approvals/answerKeys.ts';
import { PanelNoticeList } from '../controls/panelNotices.tsx';
import { usePanel } from '../state/panel.ts';
import { onLinkClick } from '../controls/linkClicks.ts';
import { WholeText } from './appStart.tsx';
import { Fields } from './fields.tsx';

/** A form that a command waits for, in front of the conversation. */
export function AskedForm({ asked }: { asked: FormView }) {
  const { state, post } = usePanel();
  const notices = state.notices.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const title = useId();
  const { id, text, note, fields, actions } = asked;
  const [only] = actions.length === 1 ? actions : [];
  const answer = (action?: string) =>
    post({ ...{ type: 'answerForm', form: id }, ...(action !== undefined && { action }) });
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    form.current?.querySelector<HTMLElement>('.field :is(input, textarea, select)')?.focus();
    // Closing gives the focus back to what had it before.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="asked-form"
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault();
        answer();
      }}
      onKeyDown={(event) => {
        // For the form, not for the answer behind it.
        if (event.key === 'Escape') event.stopPropagation();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && only) form.current?.requestSubmit();
      }}
    >
      <form
        ref={form}
        class="app-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // Out of the field, so that the first problem gets the focus.
          form.current?.querySelector<HTMLElement>('[type=submit]')?.focus();
          if (only) answer(only.id);
        }}
      >
        <h2 id={title}>{asked.title}</h2>
        {text !== undefined && <Text key={text} text={text} />}
        <Fields {...{ form, fields, id }} />
        {note !== undefined && <p class="form-hint">{note}</p>}
        <div class="buttons">
          {actions.map((action) => (
            <button
              key={action.id}
              type={only ? 'submit' : 'button'}
              class="button"
              title={only && `${action.label} (${shortcuts.allow})`}
              onClick={only ? undefined : () => answer(action.id)}
            >
              {action.label}
            </button>
          ))}
          <button type="button" class="button secondary" onClick={() => answer()}>
            {l10n.t('Cancel')}
          </button>
        </div>
      </form>
      <div class="panel-notices" aria-live="polite">
        {notices.length > 0 && <PanelNoticeList notices={notices} />}
      </div>
    </dialog>
  );
}

function Text({ text }: { text: string }) {
  const { post } = usePanel();
  const onClick = (event: MouseEvent) => onLinkClick(event, post);
  return (
    <div onClick={onClick} onAuxClick={onClick}>
      <WholeText text={text} />
    </div>
  );
}
