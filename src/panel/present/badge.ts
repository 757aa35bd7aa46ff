import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { UnseenTurn } from '../../chat/session/unseenTurns.ts';

export interface Activities {
  asking: number;
  outcomes: readonly UnseenTurn['outcome'][];
  working: number;
}

export function badgeOf({
  asking,
  outcomes,
  working,
}: Activities): { value: number; tooltip: string } | undefined {
  const failed = outcomes.filter((outcome) => outcome === 'failed').length;
  const done = outcomes.length - failed;
  const counted: [number, string][] = [
    [asking, callsAsking(asking)],
    [
      failed,
      plural(
        failed,
        l10n.t('1 conversation failed'),
        l10n.t('{0} conversations failed', formatNumber(failed)),
      ),
    ],
    [
      done,
      plural(
        done,
        l10n.t('1 conversation is done'),
        l10n.t('{0} conversations are done', formatNumber(done)),
      ),
    ],
    [
      working,
      plural(
        working,
        l10n.t('1 conversation is running'),
        l10n.t('{0} conversations are running', formatNumber(working)),
      ),
    ],
  ];
  const lines = counted.flatMap(([count, words]) => (count > 0 ? [words] : []));
  if (lines.length === 0) return undefined;
  return { value: counted.reduce((sum, [count]) => sum + count, 0), tooltip: lines.join('\n') };
}

export function callsAsking(count: number): string {
  return plural(
    count,
    l10n.t('1 call needs approval'),
    l10n.t('{0} calls need approval', formatNumber(count)),
  );
}
