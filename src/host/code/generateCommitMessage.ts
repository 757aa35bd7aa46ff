import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { writeCommitMessage } from '../../chat/editorRequests/writeCommitMessage.ts';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import { getChangesTool } from '../../tools/editor/getChangesTool.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { usableModel, type UsableModelDependencies } from '../connect/chooseModel.ts';
import { readChatOptions, type Settings } from '../settings.ts';
import { tellError } from '../ui/tellError.ts';
import { withProgress } from '../ui/withProgress.ts';
import { findRepositories, type Repository, toCommit } from '../workspace/workspaceGit.ts';
import { askModal } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface CommitMessageDependencies extends UsableModelDependencies {
  models: UsableModelDependencies['models'] & Pick<RelayModels, 'ask'>;
  settings: Settings;
  tools(): Promise<{ dependencies: ToolDependencies }>;
  notifications: Notifications;
}

/** Writes a commit message for staged changes, or for all if none are staged, into the input box of the repository. */
export async function generateCommitMessage(
  deps: CommitMessageDependencies,
  clicked?: unknown,
): Promise<string | undefined> {
  const repository = await chooseRepository(deps.notifications, clicked);
  if (!repository) return undefined;
  const model = await usableModel(deps, l10n.t('Generate Commit Message'));
  if (model === undefined) return undefined;
  const { inputBox } = repository;
  const before = inputBox.value;
  if (before.trim() !== '' && !(await mayReplace(before))) return undefined;
  let message: string | undefined;
  try {
    message = await withProgress(deps.notifications, l10n.t('Generating commit message…'), (signal) =>
      write(deps, repository, model, signal),
    );
  } catch (error) {
    tellError(deps.notifications, error);
    return undefined;
  }
  if (message === undefined) {
    void deps.notifications.information(l10n.t('There are no changes to commit.'));
    return undefined;
  }
  if (message === '') {
    void deps.notifications.information(
      l10n.t('The model returned no commit message. Try again, or choose another model.'),
    );
    return undefined;
  }
  // The user may have typed during the request.
  const now = inputBox.value;
  if (now !== before && now.trim() !== '' && !(await mayReplace(now))) return undefined;
  inputBox.value = message;
  return message;
}

/** Undefined without changes. */
async function write(
  { models, settings, tools }: CommitMessageDependencies,
  repository: Repository,
  model: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { dependencies } = await tools();
  const commit = await toCommit(repository, signal);
  if (commit.isEmpty) return undefined;
  // The tool excludes blocked files, redacts secrets and limits the size.
  const workspace = { ...dependencies.workspace, sourceControl: commit.sourceControl };
  const call = getChangesTool({ ...dependencies, workspace }).bind({});
  if ('problem' in call) throw new Error(call.problem);
  const { content } = await call.run({ signal });
  const { stream } = readChatOptions(settings);
  const source = { changes: content, subjects: commit.subjects };
  return writeCommitMessage(models.ask, source, { model, stream }, signal);
}

async function mayReplace(message: string): Promise<boolean> {
  const replace = l10n.t('Replace');
  const text = l10n.t('Replace the current commit message?');
  return (await askModal({ severity: 'warning', text, detail: message }, replace)) === replace;
}

async function chooseRepository(
  notifications: Notifications,
  clicked: unknown,
): Promise<Repository | undefined> {
  const repositories = await findRepositories();
  const root = (clicked as { rootUri?: vscode.Uri } | undefined)?.rootUri?.toString();
  const wanted = repositories.find(({ rootUri }) => rootUri.toString() === root);
  if (wanted || repositories.length === 1) return wanted ?? repositories[0];
  if (repositories.length === 0) {
    void notifications.information(l10n.t('There is no Git repository in this window.'));
    return undefined;
  }
  const items = repositories.map((repository) => ({
    label: vscode.workspace.asRelativePath(repository.rootUri),
    repository,
  }));
  const title = l10n.t('Generate Commit Message For');
  return (await vscode.window.showQuickPick(items, { title }))?.repository;
}
