import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AttachmentChip } from '../shared/attachments.ts';
import { Chip } from './attachmentChip.tsx';
import { usePanel } from './panel.ts';
import { useRemovalFocus } from './removalFocus.ts';

/** What goes with the next message. */
export function Attachments() {
  const { state, post } = usePanel();
  const chips = state.attachments.value;
  useNews(chips);
  const list = useRef<HTMLUListElement>(null);
  const keepFocus = useRemovalFocus(list, chips);

  // What came last is what the user looks for.
  useLayoutEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [chips.length]);

  const remove = (chip: AttachmentChip, index: number) => {
    keepFocus(index);
    post({ type: 'removeAttachment', id: chip.id });
  };
  return (
    chips.length > 0 && (
      <ul ref={list} class="chips" role="list" aria-label={l10n.t('Attachments')}>
        {chips.map((chip, index) => (
          <Chip key={chip.id} chip={chip} onRemove={() => remove(chip, index)} />
        ))}
      </ul>
    )
  );
}

/** Has it read out what was attached, and what cannot be sent, once it is known. */
function useNews(chips: readonly AttachmentChip[]): void {
  const { state } = usePanel();
  const told = useRef(new Set<string>());
  useLayoutEffect(() => {
    const fresh = chips.filter(({ size, problem }) => size ?? problem).map((chip) => message(chip));
    const unheard = fresh.filter((text) => !told.current.has(text));
    told.current = new Set(fresh);
    if (unheard.length > 0) state.attachmentNews.value = unheard.join(' ');
  }, [chips]);
}

function message({ label, problem }: AttachmentChip): string {
  return problem ? l10n.t('{0} cannot be sent: {1}', label, problem) : l10n.t('Attached: {0}.', label);
}
