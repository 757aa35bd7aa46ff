import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useUnfolded } from './viewState.ts';

/** Text of this many lines or characters may need more room than a folded message has, in the narrowest panel. */
const manyLines = 12;
const manyCharacters = 240;

/** What the user wrote. A long message is folded, so that the answer to it stays near. */
export function UserText({ id, text }: { id: string; text: string }) {
  const words = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useUnfolded(`${id}:text`);
  // What was unfolded before the page was hidden is long.
  const [isLong, setLong] = useState(isOpen);
  useLayoutEffect(() => {
    const element = words.current;
    if (!element || isOpen || !mayBeLong(text)) return undefined;
    const measure = () => setLong(element.scrollHeight > element.clientHeight + 1);
    measure();
    // The same text has more lines in a narrower panel.
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
          {isOpen ? l10n.t('Show less') : l10n.t('Show more')}
        </button>
      )}
    </div>
  );
}

function mayBeLong(text: string): boolean {
  return text.length > manyCharacters || text.split('\n', manyLines + 1).length > manyLines;
}
