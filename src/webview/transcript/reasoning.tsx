import * as l10n from '@vscode/l10n';
import type { ReadonlySignal } from '@preact/signals';
import { Icon } from '../controls/icon.tsx';
import type { IsSource } from '../markdown/citations/citations.ts';
import { Markdown } from '../lazyComponents.tsx';
import { useUnfolded } from '../state/panel.ts';

interface Props {
  id: string;
  text: ReadonlySignal<string>;
  thinking: boolean;
  ended: ReadonlySignal<boolean>;
  isSource: ReadonlySignal<IsSource>;
}

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
