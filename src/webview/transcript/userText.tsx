import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useUnfolded } from '../state/panel.ts';

/** Lines and characters that may exceed a folded message in the narrowest panel. */
const manyLines = 12;
const manyCharacters = 240;

export function UserText({ id, text }: { id: string; text: string }) {
  const words = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useUnfolded(`${id}:text`);
  const [isLong, setLong] = useState(isOpen);
  useLayoutEffect(() => {
    const element = words.current;
    if (!element || isOpen || !mayBeLong(text)) return undefined;
    const measure = () => setLong(element.scrollHeight > element.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [text, isOpen]);
  return (
    <div class="bubble">
      <div
        ref={words}
        dir="auto"
        class={`user-text${isOpen ? '' : ' folded'}${isLong && !isOpen ? ' cut' : ''}`}
      >
        {text}
      </div>
      {isLong && (
        <button
          type="button"
          class="link-button user-text-more"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? l10n.t('Show Less') : l10n.t('Show More')}
        </button>
      )}
    </div>
  );
}

function mayBeLong(text: string): boolean {
  return text.length > manyCharacters || text.split('\n', manyLines + 1).length > manyLines;
}
