import { Icon } from './icon.tsx';
import { usePanel } from './panel.ts';
import type { NoticeItem } from './state.ts';

/** Something to know about the turn, with a button where there is something to do. */
export function NoticeEntry({ item }: { item: NoticeItem }) {
  const { post } = usePanel();
  const { remedy } = item;
  return (
    <div class="entry notice" role="note">
      <Icon name="info" />
      <div>
        {item.detail === undefined ? (
          <p>{item.text}</p>
        ) : (
          <details>
            <summary>{item.text}</summary>
            <p class="notice-detail">{item.detail}</p>
          </details>
        )}
        {remedy && (
          <button
            type="button"
            class="button secondary"
            onClick={() => post({ type: 'applyRemedy', remedy: remedy.type, entryId: item.id })}
          >
            {remedy.label}
          </button>
        )}
      </div>
    </div>
  );
}
