import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../controls/icon.tsx';
import { useDismissal } from './popupDismissal.ts';

interface Option {
  id: string;
  name: string;
  detail?: string | undefined;
  problem?: string | undefined;
}

interface Props {
  button: RefObject<HTMLButtonElement | null>;
  list: string;
  options: readonly Option[];
  selectedId: string;
  onSelect(id: string): void;
  close(refocus: boolean): void;
}

export function ChoicePopup({ button, list, options, selectedId, onSelect, close }: Props) {
  const popup = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState(selectedId);
  const at = Math.max(
    0,
    options.findIndex(({ id }) => id === activeId),
  );
  const active = options[at];
  useLayoutEffect(() => popup.current?.querySelector<HTMLElement>('[role=listbox]')?.focus(), []);
  useEffect(() => {
    if (active) document.getElementById(elementId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active?.id]);
  useDismissal(popup, button, close);
  const select = (option: Option) => {
    onSelect(option.id);
    close(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: options.length - 1,
    };
    const target = moves[event.key];
    if (event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey) return;
    if (target !== undefined)
      setActiveId(options[Math.max(0, Math.min(options.length - 1, target))]?.id ?? '');
    else if (event.key !== 'Enter' && event.key !== ' ') return;
    else if (active) select(active);
    event.preventDefault();
  };
  return (
    <div ref={popup} class="popup choice-popup">
      <div
        class="choice-list"
        role="listbox"
        aria-label={list}
        aria-activedescendant={active && elementId(active)}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {options.map((option) => {
          const { id, name, detail, problem } = option;
          const said = problem ?? detail;
          return (
            <div
              key={id}
              id={elementId(option)}
              class={option === active ? 'choice active' : 'choice'}
              role="option"
              aria-label={name}
              aria-selected={id === selectedId}
              aria-description={said}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => select(option)}
            >
              <span class="option-check">{id === selectedId && <Icon name="check" />}</span>
              <span class="choice-words">
                <span>{name}</span>
                {said && (
                  <span class="choice-detail">
                    {problem && <Icon name="warning" />}
                    {said}
                  </span>
                )}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function elementId({ id }: Option): string {
  return `choice-${encodeURIComponent(id)}`;
}
