import * as l10n from '@vscode/l10n';
import type { Failure } from '../../shared/transcript.ts';
import { ContinueButton } from './buttons.tsx';
import { Icon } from './icon.tsx';
import { usePanel, useUnfolded } from '../state/panel.ts';

interface Props {
  failure: Failure;
  id?: string;
  onRetry?(): void;
  onContinue?: (() => void) | undefined;
}

export function FailureView({ failure, id, onRetry, onContinue }: Props) {
  const { state, post } = usePanel();
  const [isOpen, setOpen] = useUnfolded(`${id ?? 'panel'}:failure`);
  const { message, advice, why, details, remedy, second } = failure;
  const apply = (type: Failure['remedy']['type']) => {
    if (type === 'retry' && onRetry) return onRetry();
    post({ type: 'applyRemedy', remedy: type, ...(id !== undefined && { id }) });
    if (type === 'selectModel') state.pickerOpen.value = true;
  };
  return (
    <div class="failure" role="alert">
      <Icon name="error" />
      <div class="failure-text">
        <strong>{message}</strong>
        {advice && <p class="failure-advice">{advice}</p>}
        {why && (
          // Quoted, since "you" in a vendor's message means the relay.
          <p class="failure-why">
            <q>{why}</q>
          </p>
        )}
        {details && (
          <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>
              <Icon name="chevron-right" />
              {l10n.t('Details')}
            </summary>
            <pre>{details}</pre>
          </details>
        )}
        <div class="buttons">
          {onContinue && <ContinueButton onContinue={onContinue} />}
          <button type="button" class="button secondary" onClick={() => apply(remedy.type)}>
            {remedy.label}
          </button>
          {second && (
            <button type="button" class="link-button" onClick={() => apply(second.type)}>
              {second.label}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}
