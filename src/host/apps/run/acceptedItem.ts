import type * as vscode from 'vscode';

/** Shows a list until an item is accepted, and disposes of it; undefined when dismissed. */
export async function acceptedItem<Item extends vscode.QuickPickItem>(
  pick: vscode.QuickPick<Item>,
): Promise<Item | undefined> {
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => resolve(pick.activeItems[0]));
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}
