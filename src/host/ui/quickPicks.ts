import type * as vscode from 'vscode';

/** A click selects before it accepts; right after an update, the active item may be unset. */
export function chosenItem<Item extends vscode.QuickPickItem>(
  pick: vscode.QuickPick<Item>,
): Item | undefined {
  return pick.selectedItems[0] ?? pick.activeItems[0];
}
