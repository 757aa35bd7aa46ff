import type { Location } from '../shared/location.ts';
import { usePanel } from './panel.ts';

/** The name on a chip, which opens what it stands for where that has a place. */
export function ChipLabel({ label, location }: { label: string; location?: Location | undefined }) {
  const { post } = usePanel();
  if (!location) {
    return (
      <span class="chip-label" title={label}>
        {label}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="chip-label chip-open"
      title={location.path}
      onClick={() => post({ type: 'openLocation', location })}
    >
      {label}
    </button>
  );
}
