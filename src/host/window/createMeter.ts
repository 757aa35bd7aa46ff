import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../base/text/format.ts';
import { formatMoney, formatTokens } from '../../base/text/formatUsage.ts';
import type { Log } from '../../base/log.ts';
import { type BudgetAnswer, type BudgetReason, DailyBudget } from '../../chat/spending/dailyBudget.ts';
import { meteredModel } from '../../chat/spending/meteredModel.ts';
import { SpendingFile } from '../../chat/spending/spendingFile.ts';
import type { RelayClient } from '../../relay/relayClient.ts';
import type { Settings } from '../settings.ts';
import { assertNever } from '../../base/errors/errors.ts';
import type { AskModel } from '../../relay/streamModel.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface MeterDependencies {
  settings: Settings;
  /** Shared by all windows of this machine. */
  folder: string;
  log: Log;
  notifications: Notifications;
}

export function createMeter({
  settings,
  folder,
  log,
  notifications,
}: MeterDependencies): (client: RelayClient) => AskModel {
  const budget = new DailyBudget({
    spending: new SpendingFile(folder, () => new Date()),
    limits: () => settings.get('chat.dailyBudget'),
    ask: (reason, signal) => askBudget(notifications, reason, signal),
    newId: randomUUID,
    log,
  });
  return (client) => meteredModel(client, budget);
}

/** Dismissing counts as *Stop*. */
export async function askBudget(
  notifications: Pick<Notifications, 'notify'>,
  reason: BudgetReason,
  signal: AbortSignal,
): Promise<BudgetAnswer> {
  const once = l10n.t('Continue Once');
  const today = l10n.t('Continue Today');
  // An error, since the editor hides other notifications after a while.
  const notice = {
    severity: 'error' as const,
    text: textOf(reason),
    actions: [once, today, l10n.t('Stop')],
    isQuestion: true as const,
    signal,
  };
  switch (await notifications.notify(notice)) {
    case once:
      return 'once';
    case today:
      return 'today';
    default:
      return 'stop';
  }
}

function textOf(reason: BudgetReason): string {
  switch (reason.type) {
    case 'money': {
      const { limit, spent, next, currency, lacksGroup } = reason;
      const [all, sofar, more] = [limit, spent, next].map((amount) => formatMoney(amount, currency));
      const figures = [all ?? '', sofar ?? '', more ?? ''];
      return lacksGroup
        ? l10n.t(
            "The next request would exceed today's budget of {0}: {1} spent so far, about {2} more, without your group's ratio.",
            ...figures,
          )
        : l10n.t(
            "The next request would exceed today's budget of {0}: {1} spent so far, about {2} more.",
            ...figures,
          );
    }
    case 'tokens': {
      const { limit, spent, next } = reason;
      return l10n.t(
        "The next request would exceed today's budget of {0}: {1} used so far, about {2} more.",
        ...[formatTokens(limit), formatNumber(spent), formatNumber(next)],
      );
    }
    case 'priceUnknown':
      return l10n.t(
        "The daily budget can't be checked: the relay doesn't publish a price for {0}.",
        reason.model,
      );
    default:
      return assertNever(reason);
  }
}
