import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { formatNumber } from '../../base/text/format.ts';
import { suggestionAsker } from '../../chat/suggestions/askSuggestion.ts';
import { mostAfter, mostBefore } from '../../chat/suggestions/suggestionPlace.ts';
import { type ModelVerdict, testSuggestions } from '../../chat/suggestions/testModel.ts';
import { placeOf, readModelId } from '../../relay/relayModelId.ts';
import { offerToConnect } from '../connect/chooseRelay.ts';
import { withProgress } from '../ui/withProgress.ts';
import type { Servers } from '../window/createServers.ts';
import type { Storage } from '../window/openStorage.ts';
import type { Tools } from '../window/createTools.ts';
import { askModal } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface SuggestionParts
  extends Pick<Servers, 'relays' | 'clients' | 'models'>, Pick<Storage, 'memory'>, Pick<Tools, 'tools'> {
  log: Log;
  notifications: Notifications;
}

/** Lets the user choose and test a model until one is accepted. Empty: turned off; undefined: nothing changed. */
export async function chooseSuggestionModel(
  deps: SuggestionParts,
  current: string,
): Promise<string | undefined> {
  const { relays, clients, models, memory } = deps;
  await relays.ready;
  if (relays.all.length === 0) {
    await offerToConnect(deps.notifications, l10n.t('No relay is connected.'));
    return undefined;
  }
  await models.catalog.ensure();
  for (;;) {
    const model = await pick(deps, current);
    if (!model) return model;
    const verdict = await test(
      deps.notifications,
      suggestionAsker(relays, clients, model),
      readModelId(model).id,
    );
    if (!verdict) return undefined;
    if (verdict.isFit) {
      if (!(await confirm(deps, model, verdict.ms))) return undefined;
      memory.suggestionModel = model;
      return model;
    }
    const another = l10n.t('Choose Another Model');
    if ((await deps.notifications.warning(verdict.reason, another)) !== another) return undefined;
  }
}

async function pick({ models }: SuggestionParts, current: string): Promise<string | undefined> {
  const off = { label: l10n.t('$(circle-slash) Turn Off Suggestions'), id: '' };
  const rows = models.catalog.state.models.map(({ id, name, vendor, relay }) => ({
    label: name,
    description: [relay, vendor, id === current ? l10n.t('current') : undefined].filter(Boolean).join(' · '),
    id,
  }));
  const picked = await vscode.window.showQuickPick([...(current ? [off] : []), ...rows], {
    title: l10n.t('Choose Model for Suggestions'),
    placeHolder: l10n.t('A model for code completion; it is tested first'),
    matchOnDescription: true,
  });
  return picked?.id;
}

function test(
  notifications: Notifications,
  ask: ReturnType<typeof suggestionAsker>,
  name: string,
): Promise<ModelVerdict | undefined> {
  return withProgress(notifications, l10n.t('Testing {0}…', name), (signal) =>
    testSuggestions(ask, name, signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    }),
  );
}

async function confirm({ relays }: SuggestionParts, model: string, ms: number): Promise<boolean> {
  const { access, id } = placeOf(relays, model);
  const turnOn = l10n.t('Turn On');
  const detail = [
    l10n.t('The test suggestion was right and took {0} ms.', formatNumber(Math.round(ms))),
    l10n.t(
      'While you type, the code around the cursor is sent to {2} (characters before it: at most {0}, after it: {1}). Blocked files are not sent, and secrets are masked.',
      ...[formatNumber(mostBefore), formatNumber(mostAfter), access?.name ?? ''],
    ),
    l10n.t('Requests count toward your daily budget.'),
  ].join(' ');
  const text = l10n.t('Turn on suggestions with {0}?', id);
  return (await askModal({ severity: 'information', text, detail }, turnOn)) === turnOn;
}
