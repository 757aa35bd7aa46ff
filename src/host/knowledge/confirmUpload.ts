import type { UploadPlan } from '../../knowledge/upload/uploadPlan.ts';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { chosenItem } from '../ui/quickPicks.ts';
import type { Confirmed } from '../../knowledge/upload/uploads.ts';
import {
  preflightItems,
  proposedChoice,
  type Choice,
  type PreflightItem,
} from '../../knowledge/view/preflightItems.ts';

interface Row extends vscode.QuickPickItem {
  item?: PreflightItem;
}

/** Shows a plan, whose items can be excluded and included. Undefined when dismissed: then nothing may be sent. */
export async function confirmPlan(plan: UploadPlan): Promise<Confirmed | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  let choice: Choice = proposedChoice(plan);
  const include = new vscode.ThemeIcon('add');
  const leaveOut = new vscode.ThemeIcon('remove');
  const includeAll: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('check-all'),
    tooltip: l10n.t('Include All, Even Unchanged'),
  };
  const leaveOutAll: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('clear-all'),
    tooltip: l10n.t('Exclude All'),
  };

  const toRow = (item: PreflightItem): Row => {
    if (item.type === 'separator') return { label: item.label, kind: vscode.QuickPickItemKind.Separator };
    const row: Row = { label: item.label, item, ...('detail' in item && { detail: item.detail }) };
    if (item.type === 'action') return { ...row, alwaysShow: true };
    if (item.type === 'skipped') return row;
    const button = item.isChosen
      ? { iconPath: leaveOut, tooltip: l10n.t('Exclude') }
      : { iconPath: include, tooltip: l10n.t('Include') };
    return { ...row, description: item.description, buttons: [button] };
  };
  const show = () => {
    const { title, items } = preflightItems(plan, choice);
    pick.title = title;
    pick.items = items.map(toRow);
  };
  const toggle = (item: PreflightItem | undefined) => {
    if (item?.type === 'document') choice = { ...choice, send: toggled(choice.send, item.id) };
    else if (item?.type === 'removal') choice = { ...choice, remove: toggled(choice.remove, item.id) };
    else return;
    show();
  };

  pick.placeholder = l10n.t(
    'Nothing has been uploaded yet. Type to filter. Select a file to include or exclude it.',
  );
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  pick.buttons = [includeAll, leaveOutAll];
  show();
  pick.onDidTriggerButton((button) => {
    choice =
      button === includeAll
        ? { ...choice, send: new Set(plan.documents.map(({ id }) => id)) }
        : { send: new Set(), remove: new Set() };
    show();
  });
  pick.onDidTriggerItemButton(({ item: { item } }) => toggle(item));
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => {
        const item = chosenItem(pick)?.item;
        if (item?.type !== 'action') toggle(item);
        else if (item.action === 'close') resolve(undefined);
        else
          resolve({
            send: [...choice.send],
            remove: item.action === 'sendAndRemove' ? [...choice.remove] : [],
          });
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function toggled(set: ReadonlySet<string>, id: string): Set<string> {
  const copy = new Set(set);
  if (!copy.delete(id)) copy.add(id);
  return copy;
}
