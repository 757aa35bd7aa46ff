import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FieldView } from '../../shared/apps.ts';
import { Field } from './field.tsx';

/** What an app wants to know before the first message. The host keeps what is filled in and says what is wrong. */
export function AppForm({ fields, onDrawn }: { fields: readonly FieldView[]; onDrawn: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(onDrawn, []);
  const problems = fields.filter(({ problem }) => problem !== undefined).length;
  const known = useRef(problems);
  useLayoutEffect(() => {
    const isNews = problems > known.current;
    known.current = problems;
    // Where the user is already at work on the form nothing is taken out of their hands.
    if (isNews && !form.current?.contains(document.activeElement)) {
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    }
  }, [problems]);
  return (
    <form
      ref={form}
      class="app-form"
      aria-label={l10n.t('Inputs')}
      noValidate
      onSubmit={(event) => event.preventDefault()}
    >
      <p class="form-hint">
        {l10n.t('Fill in this form before the first message.')}
        {fields.some(({ isRequired }) => isRequired) && ` ${l10n.t('* Required')}`}
      </p>
      {fields.map((field) => (
        <Field key={field.variable} field={field} />
      ))}
    </form>
  );
}
