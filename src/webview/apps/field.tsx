import type { FieldView } from '../../shared/apps.ts';
import { usePanel } from '../state/panel.ts';
import { FileField } from './fileField.tsx';

interface Props {
  field: FieldView;
}

export function Field({ field }: Props) {
  const id = idOf(field);
  const { type, hint, problem } = field;
  return (
    <div class={`field ${type}`}>
      {type === 'checkbox' ? (
        <label class="checkbox">
          <Control field={field} />
          <LabelText field={field} />
        </label>
      ) : type === 'file' || type === 'file-list' ? (
        <>
          <span class="field-label" id={`${id}-label`}>
            <LabelText field={field} />
          </span>
          <FileField field={field} labelId={`${id}-label`} problemId={`${id}-problem`} />
        </>
      ) : (
        <>
          <label class="field-label" for={id}>
            <LabelText field={field} />
          </label>
          <Control field={field} />
        </>
      )}
      {hint !== undefined && (
        <p class="form-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

function LabelText({ field }: Props) {
  return (
    <>
      {field.label}
      {field.isRequired && <span aria-hidden="true"> *</span>}
    </>
  );
}

/** Typed text is owned by the page until it is sent: an echo of the host would arrive after the next letter. */
function Control({ field }: Props) {
  const { post } = usePanel();
  const { variable, type, value, isRequired, placeholder, hint, problem, options = [] } = field;
  const change = (changed: string | boolean) => post({ type: 'changeInput', variable, value: changed });
  const text = typeof value === 'string' ? value : '';
  const id = idOf(field);
  const described = [problem !== undefined && `${id}-problem`, hint !== undefined && `${id}-hint`];
  const describedBy = described.filter(Boolean).join(' ');
  const common = {
    id,
    class: 'text-input',
    'aria-required': isRequired,
    'aria-invalid': problem !== undefined,
    ...(describedBy && { 'aria-describedby': describedBy }),
  };
  switch (type) {
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
          type="text"
          placeholder={placeholder}
          inputMode={type === 'number' ? 'decimal' : 'text'}
          defaultValue={text}
          onInput={(event) => change(event.currentTarget.value)}
        />
      );
  }
}

function idOf({ variable }: FieldView): string {
  return `input-${encodeURIComponent(variable)}`;
}
