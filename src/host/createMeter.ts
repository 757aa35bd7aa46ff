import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever.ts';
import { formatMoney, formatNumber, formatTokens } from '../base/format.ts';
import type { Log } from '../base/log.ts';
import { type BudgetAnswer, type BudgetReason, DailyBudget } from '../chat/spending/dailyBudget.ts';
import { meteredModel } from '../chat/spending/meteredModel.ts';
import { SpendingFile } from '../chat/spending/spendingFile.ts';
import type { StreamModel } from '../relay/messages.ts';
import type { RelayClient } from '../relay/relayClient.ts';
import { notify } from './notifications.ts';
import type { Settings } from './settings.ts';

export interface MeterDependencies {
  settings: Settings;
  /** Where all windows of this machine note what they spend. */
  folder: string;
  log: Log;
}

/** Counts what the models of all relays cost, and asks before the daily budget is passed. Loaded with the first relay. */
export function createMeter({
  settings,
  folder,
  log,
}: MeterDependencies): (client: RelayClient) => StreamModel {
  const budget = new DailyBudget({
    spending: new SpendingFile(folder, () => new Date()),
    limits: () => settings.get('chat.dailyBudget'),
    ask: askBudget,
    newId: randomUUID,
    log,
  });
  return (client) => meteredModel(client, budget);
}

/** In the panel while that is visible. What is dismissed is not agreed to. */
async function askBudget(reason: BudgetReason, signal: AbortSignal): Promise<BudgetAnswer> {
  const once = l10n.t('Continue Once');
  const today = l10n.t('Continue Today');
  // As an error, since the editor hides other notifications after a while although somebody waits for the answer.
  const notice = {
    severity: 'error' as const,
    text: textOf(reason),
    actions: [once, today, l10n.t('Stop')],
    signal,
  };
  switch (await notify(notice)) {
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
      const { limit, spent, next, currency } = reason;
      const [all, sofar, more] = [limit, spent, next].map((amount) => formatMoney(amount, currency));
      return l10n.t(
        "The next request would exceed today's budget of {0}: {1} spent so far, about {2} more.",
        ...[all ?? '', sofar ?? '', more ?? ''],
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
        "The daily budget can't be checked: the relay doesn't tell the price of {0}.",
        reason.model,
      );
    default:
      return assertNever(reason);
  }
}
