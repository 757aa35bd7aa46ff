import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { ModelPopup } from './modelPopup.tsx';
import { usePanel } from './panel.ts';

/** The button that says which model answers, and the popup to choose another. */
export function ModelPicker() {
  const { state } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  const { selected } = state.models.value;
  const name = selected?.name;
  const open = state.pickerOpen.value;
  const close = (refocus: boolean) => {
    state.pickerOpen.value = false;
    if (refocus) button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="model-button"
        aria-label={l10n.t('Model: {0}', name ?? l10n.t('none'))}
        aria-haspopup="dialog"
        aria-expanded={open}
        title={selected?.app ?? selected?.id ?? l10n.t('Choose a model')}
        onClick={() => (state.pickerOpen.value = !open)}
      >
        <span class="model-button-name">{name ?? l10n.t('Choose a model')}</span>
        <Icon name="chevron-down" />
      </button>
      {open && <ModelPopup button={button} close={close} />}
    </>
  );
}
