import * as l10n from '@vscode/l10n';
import { foldLabel } from '../controls/buttons.tsx';
import { IconButton } from '../controls/icon.tsx';
import { usePanel, useUnfolded } from '../state/panel.ts';

const mostLines = 20;
const foldedLines = 12;

interface Props {
  id: string;
  name: string;
  text: string;
}

export function ToolOutput({ id, name, text }: Props) {
  const { post } = usePanel();
  const [isOpen, setOpen] = useUnfolded(`${id}:output`);
  const lines = text.replace(/\n$/, '').split('\n');
  const isLong = lines.length > mostLines;
  const isFolded = isLong && !isOpen;
  return (
    <div class="tool-output">
      <pre role="group" aria-label={name} tabIndex={0} class={isFolded ? 'folded' : ''}>
        {isFolded ? lines.slice(0, foldedLines).join('\n') : text}
      </pre>
      <IconButton
        name={l10n.t('Copy')}
        icon="copy"
        class="tool-copy"
        onClick={() => post({ type: 'copyText', text })}
      />
      {isLong && (
        <button type="button" class="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {foldLabel(isOpen, lines.length)}
        </button>
      )}
    </div>
  );
}
