import * as l10n from '@vscode/l10n';
import type { ReadonlySignal } from '@preact/signals';
import { Icon } from './icon.tsx';
import type { IsSource } from './markdown/citations.ts';
import { Markdown } from './parts.ts';
import { useUnfolded } from './viewState.ts';

interface Props {
  id: string;
  text: ReadonlySignal<string>;
  /** The answer proper has not begun. */
  thinking: boolean;
  ended: ReadonlySignal<boolean>;
  isSource: ReadonlySignal<IsSource>;
}

/** What the model thought, folded away; it is only drawn while it is open. */
export function Reasoning({ id, text, thinking, ended, isSource }: Props) {
  const [open, setOpen] = useUnfolded(`${id}:reasoning`);
  return (
    <details class="reasoning" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron-right" />
        <span class={thinking ? 'thinking' : ''}>{thinking ? l10n.t('Thinking…') : l10n.t('Thought')}</span>
      </summary>
      {open && <Markdown text={text} ended={ended} isSource={isSource} />}
    </details>
  );
}
