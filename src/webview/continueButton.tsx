import * as l10n from '@vscode/l10n';

export function ContinueButton({ onContinue }: { onContinue(): void }) {
  return (
    <button type="button" class="button" onClick={onContinue}>
      {l10n.t('Continue')}
    </button>
  );
}
