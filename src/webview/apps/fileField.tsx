import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import type { FieldEdit, FieldView } from '../../shared/apps.ts';
import { Icon, IconButton } from '../controls/icon.tsx';
import { useRemovalFocus } from '../controls/focus.ts';

interface Props {
  field: FieldView;
  fill(edit: FieldEdit): void;
  labelId: string;
  problemId: string;
}

export function FileField({ field, fill, labelId, problemId }: Props) {
  const { label, type, files, problem } = field;
  const { limits, methods, chosen } = files ?? { limits: '', methods: [], chosen: [] };
  const list = useRef<HTMLUListElement>(null);
  const keepFocus = useRemovalFocus(list, chosen);
  if (!files) return null;
  const isMany = type === 'file-list';
  return (
    <div class="file-field" role="group" aria-labelledby={labelId}>
      {chosen.length > 0 && (
        <ul ref={list} class="chips" role="list" aria-label={l10n.t('Files of {0}', label)}>
          {chosen.map((file, index) => {
            const remove = () => {
              keepFocus(index);
              fill({ type: 'removeFile', fileId: file.id });
            };
            return (
              <li key={file.id} class="chip">
                <div class="chip-line">
                  <Icon name="file" />
                  <span class="chip-label" title={file.label}>
                    {file.label}
                  </span>
                  {file.detail && <span class="chip-facts">{file.detail}</span>}
                  <IconButton
                    class="chip-remove"
                    name={l10n.t('Remove {0}', file.label)}
                    icon="close"
                    onClick={remove}
                  />
                </div>
              </li>
            );
          })}
        </ul>
      )}
      <div class="file-ways">
        {methods.includes('local_file') && (
          <button
            type="button"
            class="button secondary"
            id={`${problemId}-choose`}
            aria-labelledby={`${problemId}-choose ${labelId}`}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? `${problemId}-limits` : problemId}
            onClick={() => fill({ type: 'chooseFiles' })}
          >
            {isMany ? l10n.t('Choose Files…') : l10n.t('Choose a File…')}
          </button>
        )}
        {methods.includes('local_file') && (
          <IconButton
            name={l10n.t('Take {0} from the Editor', label)}
            title={l10n.t('Takes the current file.')}
            icon="file-symlink-file"
            onClick={() => fill({ type: 'editor' })}
          />
        )}
        {methods.includes('remote_url') && <AddressBox field={field} fill={fill} />}
      </div>
      {limits && (
        <p class="form-hint" id={`${problemId}-limits`}>
          {limits}
        </p>
      )}
    </div>
  );
}

function AddressBox({ field: { label }, fill }: Pick<Props, 'field' | 'fill'>) {
  const box = useRef<HTMLInputElement>(null);
  const add = () => {
    const address = box.current?.value.trim();
    if (!address || !box.current) return;
    fill({ type: 'address', address });
    box.current.value = '';
  };
  return (
    <div class="address-box">
      <input
        ref={box}
        class="text-input"
        type="url"
        placeholder={l10n.t('or https://…')}
        aria-label={l10n.t('Address for {0}', label)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing) return;
          event.preventDefault();
          add();
        }}
      />
      <IconButton name={l10n.t('Add the address for {0}', label)} icon="add" onClick={add} />
    </div>
  );
}
