import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { ModelOption } from '../../shared/transcript.ts';
import { Icon } from '../controls/icon.tsx';
import type { ModelGroup } from './modelGroups.ts';

export interface Fold {
  options: readonly ModelOption[];
  isOpen: boolean;
  button: RefObject<HTMLButtonElement | null>;
  toggle(): void;
}

export function useFold(
  groups: readonly ModelGroup[],
  { selected, isFiltered }: { selected: ModelOption | undefined; isFiltered: boolean },
): { groups: readonly ModelGroup[]; fold: Fold | undefined } {
  const button = useRef<HTMLButtonElement>(null);
  const [toggled, setToggled] = useState<boolean>();
  const group = isFiltered ? undefined : groups.find(({ kind }) => kind === 'notForChat');
  const isOpen = toggled ?? group?.options.some(({ id }) => id === selected?.id) ?? false;
  useLayoutEffect(() => {
    const list = button.current?.parentElement;
    if (toggled && list) list.scrollTop = button.current?.offsetTop ?? 0;
  }, [toggled]);
  // Memoized: new groups scroll the list to the active option.
  const shown = useMemo(
    () => (isOpen ? groups : groups.map((one) => (one === group ? { ...one, options: [] } : one))),
    [groups, group, isOpen],
  );
  if (!group) return { groups, fold: undefined };
  return {
    groups: shown,
    fold: { options: group.options, isOpen, button, toggle: () => setToggled(!isOpen) },
  };
}

interface Props {
  fold: Fold;
  top: number;
  onKeyDown(event: KeyboardEvent): void;
}

/** Overlays the group's heading, since a listbox can't contain a button. */
export function FoldButton({ fold: { options, isOpen, button, toggle }, top, onKeyDown }: Props) {
  const count = options.length;
  return (
    <button
      ref={button}
      type="button"
      class="model-fold"
      style={{ top: `${top}px` }}
      aria-expanded={isOpen}
      aria-controls="models"
      aria-description={plural(count, l10n.t('1 model'), l10n.t('{0} models', formatNumber(count)))}
      onMouseDown={(event) => event.preventDefault()}
      onClick={toggle}
      onKeyDown={onKeyDown}
    >
      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
      <span>{l10n.t('Not for chat')}</span>
      <span class="option-context" aria-hidden="true">
        {formatNumber(count)}
      </span>
    </button>
  );
}
