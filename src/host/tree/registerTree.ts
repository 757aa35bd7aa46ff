import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/async/lazy.ts';
import { commandId, type CommandName } from '../ids.ts';
import { registerCommands } from '../registerCommands.ts';

export interface LoadedTree<Node, Command, NodeCommand> extends Disposable {
  run(command: Command, args: readonly unknown[]): Promise<unknown>;
  runOnTree(command: NodeCommand, args: readonly unknown[]): Promise<unknown>;
  readonly tree: {
    /** Undefined refreshes the whole tree. */
    onDidChangeTreeData: vscode.Event<Node | undefined>;
    getTreeItem(node: Node): vscode.TreeItem;
    getParent(node: Node): Node | undefined;
    getChildren(node?: Node): Promise<Node[]>;
    onShown?(): void;
  };
}

export interface TreeRegistration<Command extends CommandName, NodeCommand extends string, Loaded> {
  viewId: string;
  canSelectMany?: boolean;
  commands: readonly Command[];
  nodeCommands: readonly NodeCommand[];
  nodeIdOf(name: NodeCommand): string;
  /** If false, the view shows its welcome and nothing is loaded. */
  hasContent(): Promise<boolean>;
  load(): Promise<Loaded>;
}

export interface RegisteredTree<Loaded> extends Disposable {
  loaded(): Promise<Loaded>;
  refresh(): void;
}

export function registerTree<
  Node,
  Command extends CommandName,
  NodeCommand extends string,
  Loaded extends LoadedTree<Node, Command, NodeCommand>,
>({
  viewId,
  canSelectMany = false,
  commands,
  nodeCommands,
  nodeIdOf,
  hasContent,
  load,
}: TreeRegistration<Command, NodeCommand, Loaded>): RegisteredTree<Loaded> {
  const disposables = new DisposableStore();
  const changes = disposables.add(new vscode.EventEmitter<Node | undefined>());
  let shown: Loaded | undefined;
  const loaded = lazy(async () => {
    shown = disposables.add(await load());
    shown.tree.onDidChangeTreeData((node) => changes.fire(node));
    return shown;
  });
  disposables.add(
    registerCommands(commands, commandId, async (name, args) => (await loaded()).run(name, args)),
  );
  disposables.add(
    registerCommands(nodeCommands, nodeIdOf, async (name, args) => (await loaded()).runOnTree(name, args)),
  );
  const view = disposables.add(
    vscode.window.createTreeView<Node>(viewId, {
      canSelectMany,
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: changes.event,
        getTreeItem: async (node) => (await loaded()).tree.getTreeItem(node),
        getParent: (node) => shown?.tree.getParent(node),
        getChildren: async (node) => ((await hasContent()) ? (await loaded()).tree.getChildren(node) : []),
      },
    }),
  );
  view.onDidChangeVisibility(({ visible }) => visible && shown?.tree.onShown?.());
  return { loaded, refresh: () => changes.fire(undefined), dispose: () => disposables.dispose() };
}
