import * as l10n from '@vscode/l10n';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FieldEdit, FieldView } from '../../shared/apps.ts';
import { IconButton } from '../controls/icon.tsx';
import { FileField } from './fileField.tsx';

interface Props {
  field: FieldView;
  fill(edit: FieldEdit): void;
}

/** `fill` tells the host, which keeps and checks the values. */
export function Field({ field, fill }: Props) {
  const id = useId();
  const { type, hint, origin, problem } = field;
  return (
    <div class={`field ${type}`}>
      {type === 'checkbox' ? (
        <label class="checkbox">
          <Control {...{ id, field, fill }} />
          <LabelText field={field} />
        </label>
      ) : type === 'file' || type === 'file-list' ? (
        <>
          <span class="field-label" id={`${id}-label`}>
            <LabelText field={field} />
          </span>
          <FileField field={field} fill={fill} labelId={`${id}-label`} problemId={`${id}-problem`} />
        </>
      ) : (
        <>
          <div class="field-head">
            <label class="field-label" for={id}>
              <LabelText field={field} />
            </label>
            {(type === 'paragraph' || type === 'json') && (
              <IconButton
                name={l10n.t('Take {0} from the Editor', field.label)}
                title={l10n.t('Takes the selection, or else the current file.')}
                icon="selection"
                onClick={() => fill({ type: 'editor' })}
              />
            )}
          </div>
          <Control {...{ id, field, fill }} />
        </>
      )}
      {hint !== undefined && (
        <p class="form-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {origin !== undefined && <p class="form-hint">{l10n.t('From {0}', origin)}</p>}
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

function LabelText({ field }: Pick<Props, 'field'>) {
  return (
    <>
      {field.label}
      {field.isRequired && <span aria-hidden="true"> *</span>}
    </>
  );
}

/** Typed text is owned by the page until it is sent: an echo of the host would arrive after the next letter. */
function Control({ id, field, fill }: Props & { id: string }) {
  const { type, value, isRequired, placeholder, hint, origin, problem, options = [] } = field;
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const change = (changed: string | boolean) => fill({ type: 'value', value: changed });
  const text = typeof value === 'string' ? value : '';
  // A selection may have put several lines into a field of one.
  const [hasLines] = useState(text.includes('\n'));
  useLayoutEffect(() => {
    if (origin !== undefined && box.current) box.current.value = text;
  }, [origin, text]);
  const described = [problem !== undefined && `${id}-problem`, hint !== undefined && `${id}-hint`];
  const describedBy = described.filter(Boolean).join(' ');
  const common = {
    id,
    class: 'text-input',
    'aria-required': isRequired,
    'aria-invalid': problem !== undefined,
    ...(describedBy && { 'aria-describedby': describedBy }),
  };
  switch (type === 'text' && hasLines ? 'paragraph' : type) {
    case 'checkbox':
      return (
        <input
          {...common}
          class=""
          type="checkbox"
          defaultChecked={value === true}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      );
    case 'select':
      return (
        <select {...common} defaultValue={text} onChange={(event) => change(event.currentTarget.value)}>
          <option value="" selected={!text}>
            {placeholder}
          </option>
          {options.map((option) => (
            <option key={option} value={option} selected={option === text}>
              {option}
            </option>
          ))}
        </select>
      );
    case 'paragraph':
    case 'json':
      return (
        <textarea
          {...common}
          ref={box}
          rows={3}
          placeholder={placeholder}
          spellcheck={type === 'paragraph'}
          defaultValue={text}
          onInput={(event) => change(event.currentTarget.value)}
        />
      );
    default:
      return (
        <input
          {...common}
          ref={box}
          type="text"
          placeholder={placeholder}
          inputMode={type === 'number' ? 'decimal' : 'text'}
          defaultValue={text}
          onInput={(event) => change(event.currentTarget.value)}
        />
      );
  }
}
