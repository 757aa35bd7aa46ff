import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../base/text/format.ts';
import { formatTokens } from '../../base/text/formatUsage.ts';
import type { EntryEnd, Usage } from '../../shared/transcript.ts';
import { useUnfolded } from '../state/panel.ts';

interface Props {
  id: string;
  usage: NonNullable<EntryEnd['usage']>;
}

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

/** `1,008 in · 900 cached · 50 out · $0.0123`, without unknown parts. */
export function usageInWords({
  promptTokens,
  completionTokens,
  totalTokens,
  cachedTokens,
  cost,
}: Usage): string {
  const known = promptTokens !== undefined || completionTokens !== undefined;
  return [
    promptTokens !== undefined && l10n.t('{0} in', formatNumber(promptTokens)),
    completionTokens !== undefined && l10n.t('{0} out', formatNumber(completionTokens)),
    !known && totalTokens !== undefined && formatTokens(totalTokens),
    cachedTokens && l10n.t('{0} cached', formatNumber(cachedTokens)),
    cost,
  ]
    .filter(Boolean)
    .join(' · ');
}
