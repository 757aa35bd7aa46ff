import { hasType } from '../../../base/json.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import type { AppTreeCommand } from '../../ids.ts';
import { copyId } from '../../tree/treeLines.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { askRunnableKind } from '../run/chooseApp.ts';
import { openRun, runOtherVersion, runVersionOf } from '../run/openRun.ts';
import { runApp } from '../run/runApp.ts';
import { readAnswerAloud, transcribeAudio } from './audioActions.ts';
import { changeKey, removeApp, renameApp, showInfo } from './appActions.ts';
import type { AppTree } from './appTree.ts';
import type { AppTreeNode, ConversationLine } from '../../../apps/appTreeNode.ts';
import { deleteConversation, editVariables, renameConversation } from './conversationActions.ts';

export async function runAppTreeCommand(
  command: AppTreeCommand,
  context: AppCommandContext,
  tree: AppTree,
  [argument]: readonly unknown[],
): Promise<unknown> {
  const node = hasType<AppTreeNode>(argument, types) ? argument : undefined;
  const onApp = <T>(act: (app: AppRecord) => T) => (node?.type === 'app' ? act(node.app) : undefined);
  switch (command) {
    case 'refresh':
      if (node?.type !== 'app') {
        await context.apps.discover();
        await refreshAccounts(context);
      }
      tree.refresh(node?.type === 'app' ? node : undefined);
      return true;
    case 'loadMore':
    case 'retry':
      if (node?.type !== 'more' && node?.type !== 'failure') return false;
      await tree.loadMore(node.parent);
      return true;
    case 'openChat':
      return onApp((app) => context.openInChat(app));
    case 'run':
      return onApp(async (app) => {
        const kind = await askRunnableKind(app);
        return kind && runApp(context, app, kind);
      });
    case 'runBatch':
      return onApp(async (app) => (await import('../run/runBatch.ts')).runOverRows(context, app, []));
    case 'info':
      return onApp((app) => showInfo(context, app));
    case 'changeKey':
      return onApp((app) => changeKey(context, app));
    case 'rename':
      if (node?.type === 'conversation') return changeConversation(context, tree, node, renameConversation);
      return onApp((app) => renameApp(context, app));
    case 'remove':
      return onApp((app) => removeApp(context, app));
    case 'copyId':
      return copyId(node && idOf(node));
    case 'openConversation':
      return node?.type === 'conversation' && context.openConversation(node.parent.app, node.conversation);
    case 'variables':
      return (
        node?.type === 'conversation' &&
        editVariables(context.notifications, await clientOf(context, node), node)
      );
    case 'delete':
      return node?.type === 'conversation' && changeConversation(context, tree, node, deleteConversation);
    case 'openRun':
      return node?.type === 'run' && openRun(context, node.parent.app, node.run);
    case 'transcribe':
      return onApp((app) => transcribeAudio(context, app));
    case 'speak':
      return node?.type === 'conversation' && readAnswerAloud(context, node);
    case 'pin':
      return onApp(async (app) => (await import('../run/pinnedApps.ts')).pinApp(context, app));
    case 'unpin':
      return onApp((app) => context.apps.pin(app.id, undefined));
    case 'runOtherVersion':
      return onApp((app) => runOtherVersion(context, app));
    case 'runVersion':
      return node?.type === 'run' && runVersionOf(context, node.parent.app, node.run);
  }
}

async function refreshAccounts(context: AppCommandContext): Promise<void> {
  const slots = await context.keys.list();
  if (!slots.some(({ kind }) => kind === 'session')) return;
  await (await import('../signIn.ts')).refreshAccountApps(context);
}

async function changeConversation<T>(
  context: AppCommandContext,
  tree: AppTree,
  line: ConversationLine,
  change: (
    notifications: AppCommandContext['notifications'],
    client: Awaited<ReturnType<typeof clientOf>>,
    line: ConversationLine,
  ) => Promise<T>,
): Promise<T> {
  const changed = await change(context.notifications, await clientOf(context, line), line);
  if (changed) tree.refresh(line.parent);
  return changed;
}

function clientOf({ apps }: AppCommandContext, { parent }: ConversationLine) {
  return apps.client(parent.app.id);
}

const types = ['app', 'conversation', 'run', 'more', 'failure', 'note'] as const;

function idOf(node: AppTreeNode): string | undefined {
  switch (node.type) {
    case 'app':
      return node.app.id;
    case 'conversation':
      return node.conversation.id;
    case 'run':
      return node.run.id;
    default:
      return undefined;
  }
}
