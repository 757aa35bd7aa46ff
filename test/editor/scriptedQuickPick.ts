import * as vscode from 'vscode';

export interface OpenList {
  readonly title: string;
  readonly placeholder: string;
  readonly labels: string[];
  /** Resolves when the list is loaded and has an item whose label contains the text. */
  item(text: string): Promise<vscode.QuickPickItem>;
  /** Accepts an item, or several in a multiple-choice list. */
  accept(...texts: string[]): Promise<void>;
  /** Ticks an item in a multiple-choice list, which stays open. */
  tick(text: string): Promise<void>;
  tickAll(): void;
  acceptTicked(): void;
  type(text: string): void;
  /** Presses a button of an item, by default its first. */
  press(text: string, tooltip?: string): Promise<void>;
  pressButton(tooltip: string): void;
  dismiss(): void;
}

type Row = vscode.QuickPickItem;

export type ListScript = (list: OpenList) => Promise<void> | void;

/** Replaces `vscode.window.createQuickPick`; each list shown takes the next script. */
export function scriptedQuickPick(scripts: ListScript[], failed: (error: unknown) => void): () => unknown {
  return () => {
    const accepted = new vscode.EventEmitter<void>();
    const hidden = new vscode.EventEmitter<void>();
    const button = new vscode.EventEmitter<vscode.QuickInputButton>();
    const itemButton = new vscode.EventEmitter<{ item: Row; button: vscode.QuickInputButton }>();
    const selection = new vscode.EventEmitter<readonly Row[]>();
    const typed = new vscode.EventEmitter<string>();
    let items: readonly Row[] = [];
    let isBusy = false;
    let waiting: (() => void)[] = [];
    const changed = () => {
      const before = waiting;
      waiting = [];
      for (const look of before) look();
    };
    const pick = {
      title: '',
      placeholder: '',
      value: '',
      canSelectMany: false,
      ignoreFocusOut: false,
      keepScrollPosition: false,
      matchOnDescription: false,
      matchOnDetail: false,
      buttons: [] as readonly vscode.QuickInputButton[],
      activeItems: [] as readonly Row[],
      selectedItems: [] as readonly Row[],
      get items() {
        return items;
      },
      set items(value) {
        items = value;
        changed();
      },
      get busy() {
        return isBusy;
      },
      set busy(value) {
        isBusy = value;
        changed();
      },
      onDidAccept: accepted.event,
      onDidHide: hidden.event,
      onDidTriggerButton: button.event,
      onDidTriggerItemButton: itemButton.event,
      onDidChangeSelection: selection.event,
      onDidChangeValue: typed.event,
      onDidChangeActive: new vscode.EventEmitter<readonly Row[]>().event,
      show() {
        const script = scripts.shift();
        if (script)
          void (async () => script(list))().catch((error: unknown) => {
            failed(error);
            hidden.fire();
          });
        else queueMicrotask(() => hidden.fire());
      },
      hide: () => hidden.fire(),
      dispose() {},
    };
    const find = (text: string) => items.find(({ label, kind }) => label.includes(text) && !kind);
    const item = async (text: string): Promise<Row> => {
      for (;;) {
        const found = isBusy ? undefined : find(text);
        if (found) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    };
    const list: OpenList = {
      get title() {
        return pick.title;
      },
      get placeholder() {
        return pick.placeholder;
      },
      get labels() {
        return items.map(({ label }) => label);
      },
      item,
      async accept(...texts) {
        const rows = await Promise.all(texts.map(item));
        pick.activeItems = rows;
        pick.selectedItems = rows;
        accepted.fire();
      },
      async tick(text) {
        pick.selectedItems = [...pick.selectedItems, await item(text)];
        selection.fire(pick.selectedItems);
      },
      tickAll() {
        pick.selectedItems = items.filter(({ kind }) => !kind);
        selection.fire(pick.selectedItems);
      },
      acceptTicked: () => accepted.fire(),
      async press(text, tooltip) {
        const row = await item(text);
        const pressed = row.buttons?.find((each) => tooltip === undefined || each.tooltip === tooltip);
        if (!pressed) throw new Error(`"${row.label}" has no button ${tooltip ?? ''}.`);
        itemButton.fire({ item: row, button: pressed });
      },
      pressButton(tooltip) {
        const pressed = pick.buttons.find((each) => each.tooltip?.includes(tooltip));
        if (!pressed) throw new Error(`There is no button "${tooltip}".`);
        button.fire(pressed);
      },
      type(text) {
        pick.value = text;
        typed.fire(text);
      },
      dismiss: () => hidden.fire(),
    };
    return pick;
  };
}
