import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { appIdOf } from '../../apps/appModelId.ts';
import type { ErrorCode } from '../../base/errors/errors.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { formatMoney, formatTokens } from '../../base/text/formatUsage.ts';
import { untilAborted } from '../../base/async/promises.ts';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import type { Clients } from '../../connections/clients.ts';
import type { RelayAccess, RelayConnections } from '../../connections/relayConnections.ts';
import { mostCost } from '../../relay/check/checkModel.ts';
import { type ModelCheck, renderCheckReport, requestCount } from '../../relay/check/checkReport.ts';
import { mostRequests, mostTokens } from '../../relay/check/checkLimits.ts';
import { isForChat } from '../../relay/messages.ts';
import { type Price, sumCosts } from '../../relay/prices/price.ts';
import { placeOf } from '../../relay/relayModelId.ts';
import { offerToConnect } from './chooseRelay.ts';
import { copyText } from '../panel/pageActions.ts';
import { aboutReport, showReport } from '../ui/readOnlyTexts.ts';
import { withProgress } from '../ui/withProgress.ts';
import { askModal } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface CheckModelDependencies {
  relays: RelayConnections;
  clients: Clients;
  models: RelayModels;
  notifications: Notifications;
}

export interface CheckedModels {
  checks: readonly ModelCheck[];
  report: string;
}

interface Choice {
  access: RelayAccess;
  ids: readonly string[];
}

export async function checkModel(
  deps: CheckModelDependencies,
  modelId: string | undefined,
): Promise<CheckedModels | undefined> {
  const { relays, models } = deps;
  await relays.ready;
  if (relays.all.length === 0) {
    await offerToConnect(deps.notifications, l10n.t('No relay is connected.'));
    return undefined;
  }
  await models.catalog.ensure();
  const choice = modelId === undefined ? await choose(deps) : placed(deps, modelId);
  if (!choice || !(await confirm(deps, choice))) return undefined;
  const { checks, isStopped } = await runAll(deps, choice);
  const title = l10n.t('Switchboard model check, {0}', new Date().toISOString());
  const report = renderCheckReport(checks, aboutReport(title));
  await showReport(l10n.t('Model Check'), report);
  void tell(deps.notifications, isStopped, report);
  return { checks, report };
}

function placed({ relays }: CheckModelDependencies, modelId: string): Choice | undefined {
  const { access, id } = placeOf(relays, modelId);
  return access && appIdOf(modelId) === undefined ? { access, ids: [id] } : undefined;
}

async function choose(deps: CheckModelDependencies): Promise<Choice | undefined> {
  const { relays, models } = deps;
  const everything = relays.all.map((access) => {
    const listed = models.catalog.ofRelay(access.origin)?.state.models ?? [];
    const ids = listed.filter(isForChat).map(({ id }) => id);
    return { label: l10n.t('All models of {0}', access.name), description: modelCount(ids), access, ids };
  });
  const each = models.catalog.state.models.flatMap(({ id, name, vendor, relay, plainId }) => {
    const choice = placed(deps, id);
    const description = [relay, vendor, name === (plainId ?? id) ? undefined : (plainId ?? id)];
    return choice ? [{ label: name, description: description.filter(Boolean).join(' · '), ...choice }] : [];
  });
  const all = everything.filter(({ ids }) => ids.length > 0);
  return vscode.window.showQuickPick([...all, ...each], {
    title: l10n.t('Check Model'),
    placeHolder: l10n.t('Select what to check'),
    matchOnDescription: true,
  });
}

async function confirm(
  { notifications, clients }: CheckModelDependencies,
  { access, ids }: Choice,
): Promise<boolean> {
  const [only = '', another] = ids;
  const client = await clients.relay(access);
  const loading = withProgress(notifications, l10n.t('Loading prices…'), (signal) =>
    untilAborted(Promise.all(ids.map((id) => client.price(id))), signal),
  );
  // Rejects only when cancelled.
  const prices = await loading.catch(() => undefined);
  if (!prices) return false;
  const check = l10n.t('Check');
  const answer = await askModal(
    {
      severity: 'information',
      text:
        another === undefined
          ? l10n.t('Check {0}?', only)
          : l10n.t('Check all models of {0} ({1})?', access.name, modelCount(ids)),
      detail: [
        l10n.t(
          '{0} at most, up to {1}, {2}.',
          requestCount(mostRequests * ids.length),
          formatTokens(mostTokens * ids.length),
          priceLabel(prices),
        ),
        l10n.t('None of your files or messages are sent. You can cancel at any time.'),
      ].join(' '),
    },
    check,
  );
  return answer === check;
}

function priceLabel(prices: readonly (Price | undefined)[]): string {
  const known = prices.flatMap((price) => price ?? []);
  if (known.length < prices.length) return l10n.t('price unknown');
  const sums = sumCosts(known.map(mostCost)).map(({ amount, currency }) => formatMoney(amount, currency));
  const sum = sums.join(' + ');
  return known.some(({ lacksGroup }) => lacksGroup)
    ? l10n.t("about {0}, without your group's ratio", sum)
    : l10n.t('at most about {0}', sum);
}

/** Failures that the relay's other models would have, too. */
const ofConnection: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['key', 'balance', 'budget', 'network-not-allowed', 'timeout-connect', 'tls'] as const),
  ...(['proxy', 'offline', 'settings', 'storage', 'internal', 'cancelled'] as const),
]);

async function runAll(
  { notifications, clients }: CheckModelDependencies,
  { access, ids }: Choice,
): Promise<{ checks: ModelCheck[]; isStopped: boolean }> {
  const checks: ModelCheck[] = [];
  const [only = '', another] = ids;
  const isOne = another === undefined;
  const title = isOne ? l10n.t('Checking {0}', only) : l10n.t('Checking models');
  return withProgress(notifications, title, async (signal, report) => {
    for (const [at, model] of ids.entries()) {
      const place = isOne ? [] : [`${formatNumber(at + 1)}/${formatNumber(ids.length)} ${model}`];
      const onStep = (step: string) => report({ message: [...place, step].join(' · ') });
      const check = await clients.checkModel(access, { model, signal, onStep });
      if (check.requests > 0 || !signal.aborted || isOne) checks.push(check);
      if (signal.aborted || (check.endedBy && ofConnection.has(check.endedBy))) break;
    }
    return { checks, isStopped: signal.aborted };
  });
}

async function tell(notifications: Notifications, isStopped: boolean, report: string): Promise<void> {
  const copy = l10n.t('Copy Report');
  const text = isStopped
    ? l10n.t('The check was stopped. The report shows the results so far.')
    : l10n.t('The check is complete.');
  if ((await notifications.information(text, copy)) === copy) copyText(report);
}

function modelCount(ids: readonly string[]): string {
  return plural(ids.length, l10n.t('1 model'), l10n.t('{0} models', formatNumber(ids.length)));
}
