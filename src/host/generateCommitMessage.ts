import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { appIdOf } from '../apps/appModelId.ts';
import type { Log } from '../base/log.ts';
import type { ChatController } from '../chat/chatController.ts';
import { writeCommitMessage } from '../chat/writeCommitMessage.ts';
import type { RelayModels } from '../chat/relayModels.ts';
import { getChangesTool } from '../tools/getChanges.ts';
import type { ToolDependencies } from '../tools/toolDependencies.ts';
import type { ChatView } from './chatView.ts';
import { askModal, showInformation } from './notifications.ts';
import { readChatOptions, type Settings } from './settings.ts';
import { tellError } from './tellError.ts';
import { withProgress } from './withProgress.ts';
import { findRepositories, type Repository, toCommit } from './workspaceGit.ts';

export interface CommitMessageDependencies {
  chat: Pick<ChatController, 'model'>;
  models: Pick<RelayModels, 'streamModel'> & { catalog: Pick<RelayModels['catalog'], 'isUnlisted'> };
  settings: Settings;
  tools(): Promise<{ dependencies: ToolDependencies }>;
  view: Pick<ChatView, 'openModelPicker'>;
  log: Log;
}

/**
 * Writes a message for what is staged, else for all changes, into the repository's input box.
 * @param clicked the source control whose title has the command
 * @returns the message, if one was written
 */
export async function generateCommitMessage(
  deps: CommitMessageDependencies,
  clicked?: unknown,
): Promise<string | undefined> {
  const { chat, models, view, log } = deps;
  const repository = await chooseRepository(clicked);
  if (!repository) return undefined;
  const { model } = chat;
  if (model === undefined || appIdOf(model) !== undefined || models.catalog.isUnlisted(model)) {
    await view.openModelPicker();
    return undefined;
  }
  const { inputBox } = repository;
  const before = inputBox.value;
  if (before.trim() !== '' && !(await mayReplace(before))) return undefined;
  let message: string | undefined;
  try {
    message = await withProgress(l10n.t('Writing the commit message'), (signal) =>
      write(deps, repository, model, signal),
    );
  } catch (error) {
    tellError(error, log);
    return undefined;
  }
  if (message === undefined) {
    void showInformation(l10n.t('There are no changes to commit.'));
    return undefined;
  }
  if (message === '') {
    void showInformation(l10n.t('The model wrote no commit message. Try again or choose another model.'));
    return undefined;
  }
  // What the user typed meanwhile is no less theirs.
  const now = inputBox.value;
  if (now !== before && now.trim() !== '' && !(await mayReplace(now))) return undefined;
  inputBox.value = message;
  return message;
}

/** Undefined where nothing is changed. */
async function write(
  { models, settings, tools }: CommitMessageDependencies,
  repository: Repository,
  model: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { dependencies } = await tools();
  const commit = await toCommit(repository, signal);
  if (commit.isEmpty) return undefined;
  // The tool already knows what to withhold, to redact and to cut, and says so.
  const workspace = { ...dependencies.workspace, sourceControl: commit.sourceControl };
  const call = getChangesTool({ ...dependencies, workspace }).bind({});
  if ('problem' in call) throw new Error(call.problem);
  const { content } = await call.run({ signal });
  const { stream } = readChatOptions(settings);
  const source = { changes: content, subjects: commit.subjects };
  return writeCommitMessage(models.streamModel, source, { model, stream }, signal);
}

async function mayReplace(message: string): Promise<boolean> {
  const replace = l10n.t('Replace');
  const text = l10n.t('Replace the commit message that is in the box?');
  return (await askModal({ severity: 'warning', text, detail: message }, replace)) === replace;
}

async function chooseRepository(clicked: unknown): Promise<Repository | undefined> {
  const repositories = await findRepositories();
  const root = (clicked as { rootUri?: vscode.Uri } | undefined)?.rootUri?.toString();
  const wanted = repositories.find(({ rootUri }) => rootUri.toString() === root);
  if (wanted || repositories.length === 1) return wanted ?? repositories[0];
  if (repositories.length === 0) {
    void showInformation(l10n.t('There is no Git repository in this window.'));
    return undefined;
  }
  const items = repositories.map((repository) => ({
    label: vscode.workspace.asRelativePath(repository.rootUri),
    repository,
  }));
  const title = l10n.t('Write a Commit Message For…');
  return (await vscode.window.showQuickPick(items, { title }))?.repository;
}
