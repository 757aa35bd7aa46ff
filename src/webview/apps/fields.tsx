import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FieldView } from '../../shared/apps.ts';
import { usePanel } from '../state/panel.ts';
import { Field } from './field.tsx';

interface Props {
  form: RefObject<HTMLFormElement | null>;
  fields: readonly FieldView[];
  hint?: string;
  /** Without an id, the form that the shown app begins with. */
  id?: string;
}

export function Fields({ form, fields, hint, id }: Props) {
  const { post } = usePanel();
  const problems = fields.filter(({ problem }) => problem !== undefined).length;
  const known = useRef(problems);
  useLayoutEffect(() => {
    const isNews = problems > known.current;
    known.current = problems;
    // Focus isn't taken from a user who is in a field.
    if (isNews && !document.activeElement?.closest('.field')) {
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    }
  }, [problems]);
  const hints = [hint, fields.some(({ isRequired }) => isRequired) && l10n.t('* Required')].filter(Boolean);
  return (
    <>
      {hints.length > 0 && <p class="form-hint">{hints.join(' ')}</p>}
      {fields.map((field) => (
        <Field
          key={field.variable}
          field={field}
          fill={(edit) =>
            post({
              ...{ type: 'fillField', variable: field.variable, edit },
              ...(id !== undefined && { form: id }),
            })
          }
        />
      ))}
    </>
  );
}
