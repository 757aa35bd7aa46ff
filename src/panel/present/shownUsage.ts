import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../base/text/formatUsage.ts';
import type { UsageSum } from '../../chat/conversation/turnUsage.ts';
import type { Cost } from '../../relay/messages.ts';
import type { Usage } from '../../shared/transcript.ts';

export function toShownSum({ tokens, costs, isPartial }: UsageSum): Usage {
  return {
    ...tokens,
    ...(costs.length > 0 && { cost: costs.map((cost) => inWords(cost, isPartial)).join(' + ') }),
  };
}

function inWords({ amount, currency, kind }: Cost, isPartial: boolean): string {
  const money = formatMoney(amount, currency);
  // Ratios below 1 exist, too.
  if (isPartial && kind !== 'withoutGroup') return l10n.t('at least {0}', money);
  switch (kind) {
    case 'charged':
      return money;
    case 'estimate':
      return l10n.t('{0} (estimate)', money);
    case 'atMost':
      return l10n.t('at most {0} (estimate)', money);
    case 'withoutGroup':
      return l10n.t("about {0}, without your group's ratio", money);
  }
}
