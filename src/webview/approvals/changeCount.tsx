import { formatNumber } from '../../base/format.ts';

/** How many lines came and went. */
export function ChangeCount({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="change-count">
      <span class="added">+{formatNumber(added)}</span> <span class="removed">−{formatNumber(removed)}</span>
    </span>
  );
}
