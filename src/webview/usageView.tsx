import * as l10n from '@vscode/l10n';
import { formatNumber } from '../base/format.ts';
import type { EntryEnd } from '../shared/transcript.ts';
import { usageInWords } from './usageText.ts';
import { useUnfolded } from './viewState.ts';

interface Props {
  id: string;
  usage: NonNullable<EntryEnd['usage']>;
}

/** What a turn cost in tokens; where it took several requests, each of them can be unfolded. */
export function UsageView({ id, usage: { total, requests } }: Props) {
  const [isOpen, setOpen] = useUnfolded(`${id}:usage`);
  const text = usageInWords(total);
  if (!requests) return <span class="usage">{text}</span>;
  return (
    <>
      <button type="button" class="usage link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {text}
      </button>
      {isOpen && (
        <ol class="usage-requests" role="list" aria-label={l10n.t('Requests of this turn')}>
          {requests.map((request, index) => (
            <li key={index}>
              <span>
                {request.isSummary
                  ? l10n.t('{0}. Summary', formatNumber(index + 1))
                  : l10n.t('{0}. Request', formatNumber(index + 1))}
              </span>
              <span>{usageInWords(request)}</span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
