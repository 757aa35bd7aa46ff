import type * as vscode from 'vscode';

/** A click selects before it accepts; right after an update, the active item may be unset. */
export function chosenItem<Item extends vscode.QuickPickItem>(
  pick: vscode.QuickPick<Item>,
): Item | undefined {
  return pick.selectedItems[0] ?? pick.activeItems[0];
}

export async function acceptedItem<Item extends vscode.QuickPickItem>(
  pick: vscode.QuickPick<Item>,
): Promise<Item | undefined> {
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => resolve(chosenItem(pick)));
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}
