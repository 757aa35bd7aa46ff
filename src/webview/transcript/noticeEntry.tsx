import { Icon } from '../controls/icon.tsx';
import { usePanel, useUnfolded } from '../state/panel.ts';
import type { NoticeItem } from '../state/items.ts';

export function NoticeEntry({ item }: { item: NoticeItem }) {
  const { post } = usePanel();
  const { remedy } = item;
  const [open, setOpen] = useUnfolded(item.id);
  return (
    <div class="entry notice" role="note" data-entry-id={item.id}>
      <Icon name="info" />
      <div>
        {item.detail === undefined ? (
          <p>{item.text}</p>
        ) : (
          <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>
              <Icon name="chevron-right" />
              {item.text}
            </summary>
            <p class="notice-detail">{item.detail}</p>
          </details>
        )}
        {remedy && (
          <button
            type="button"
            class="button secondary"
            onClick={() => post({ type: 'applyRemedy', remedy: remedy.type, id: item.id })}
          >
            {remedy.label}
          </button>
        )}
      </div>
    </div>
  );
}
