import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../controls/icon.tsx';
import { MiddleTruncated } from '../controls/middleTruncation.tsx';
import { usePanel } from '../state/panel.ts';
import { lazyComponent } from '../controls/lazyComponent.tsx';

const ModelPopup = lazyComponent(() => import('./modelPopup.tsx'), 'ModelPopup');
const ParameterSheet = lazyComponent(() => import('./parameterSheet.tsx'), 'ParameterSheet');

export function ModelPicker() {
  const { state } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  const { selected, isSelectedUnlisted } = state.models.value;
  const name = selected?.name;
  const open = state.pickerOpen.value;
  const close = (refocus: boolean) => {
    state.pickerOpen.value = false;
    if (refocus) state.focusWishes.value++;
  };
  const closeSheet = (refocus: boolean) => {
    if (state.choiceOpen.peek() === 'parameters') state.choiceOpen.value = undefined;
    if (refocus) button.current?.focus();
  };
  // An open picker that goes with the last connection must not be open when it returns.
  useEffect(() => () => void (state.pickerOpen.value = false), [state]);
  const problem = isSelectedUnlisted ? l10n.t('Not listed for your key') : undefined;
  return (
    <>
      <button
        ref={button}
        type="button"
        class="model-button"
        aria-label={l10n.t('Model: {0}', name ?? l10n.t('none'))}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-description={problem}
        title={[selected?.app ?? selected?.id ?? l10n.t('Choose a model'), problem]
          .filter(Boolean)
          .join(': ')}
        onClick={() => (state.pickerOpen.value = !open)}
      >
        {problem && <Icon name="warning" />}
        {name === undefined ? (
          <span class="model-button-name name-head">{l10n.t('Choose a model')}</span>
        ) : (
          <MiddleTruncated class="model-button-name" name={name} />
        )}
      </button>
      {open && <ModelPopup button={button} close={close} />}
      {state.choiceOpen.value === 'parameters' && <ParameterSheet button={button} close={closeSheet} />}
    </>
  );
}
