import * as vscode from 'vscode';
import type { FileChange, SourceControl } from '../tools/workspace.ts';
import { toPath, toUri } from './workspaceUris.ts';

/** As much as we use of version 1 of the built-in Git extension's API. */
interface Git {
  repositories: Repository[];
  getRepository(uri: vscode.Uri): Repository | null;
}

interface GitExtension {
  enabled: boolean;
  getAPI(version: 1): Git;
}

export interface Repository {
  rootUri: vscode.Uri;
  inputBox: { value: string };
  state: Record<'mergeChanges' | 'indexChanges' | 'workingTreeChanges' | 'untrackedChanges', Change[]> & {
    HEAD: { name?: string; commit?: string } | undefined;
  };
  status(): Promise<void>;
  diffWithHEAD(path: string): Promise<string>;
  diffIndexWithHEAD(path: string): Promise<string>;
  log(options: { maxEntries: number }): Promise<{ message: string }[]>;
}

interface Change {
  uri: vscode.Uri;
  originalUri: vscode.Uri;
  renameUri: vscode.Uri | undefined;
  status: number;
}

/** By the numbers of the extension's `Status`. */
const states: FileChange['state'][] = [
  ...(['modified', 'added', 'deleted', 'renamed', 'added'] as const),
  ...(['modified', 'deleted', 'untracked', 'other', 'added', 'renamed', 'modified'] as const),
];

export const sourceControl: SourceControl = {
  async changes(signal) {
    const git = await findGit();
    if (!git || git.repositories.length === 0) return undefined;
    const changes: FileChange[] = [];
    for (const repository of git.repositories) {
      changes.push(...(await changesIn(repository, signal)));
    }
    return changes;
  },

  async branch() {
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    // A question does not wait for the extension to start.
    if (!extension?.isActive || !extension.exports.enabled) return undefined;
    const { name, commit } = extension.exports.getAPI(1).repositories[0]?.state.HEAD ?? {};
    return name ?? (commit && `detached at ${commit.slice(0, 8)}`);
  },

  async diff(path) {
    const repository = (await findGit())?.getRepository(toUri(path));
    return repository ? diffOf(repository, path) : '';
  },
};

/** Those that the editor has open. */
export async function findRepositories(): Promise<readonly Repository[]> {
  return (await findGit())?.repositories ?? [];
}

/** So many of the newest commits show the style of a project. */
const newestCommits = 10;

/** What the next commit of a repository takes in: what is staged, or all changes where nothing is. */
export async function toCommit(repository: Repository, signal: AbortSignal) {
  const all = await changesIn(repository, signal);
  const staged = all.filter(({ isStaged }) => isStaged);
  const taken = staged.length > 0 ? staged : all;
  const narrowed: SourceControl = {
    changes: async () => taken,
    branch: () => sourceControl.branch(),
    diff: (path) =>
      staged.length > 0
        ? repository.diffIndexWithHEAD(toUri(path).fsPath).catch(() => '')
        : diffOf(repository, path),
  };
  // There is none before the first.
  const commits = await repository.log({ maxEntries: newestCommits }).catch(() => []);
  const subjects = commits.map(({ message }) => message.split('\n', 1)[0] ?? '');
  return { isEmpty: taken.length === 0, sourceControl: narrowed, subjects };
}

async function changesIn(repository: Repository, signal: AbortSignal): Promise<FileChange[]> {
  // The editor looks some time after a file was written.
  await repository.status();
  signal.throwIfAborted();
  const { mergeChanges, indexChanges, workingTreeChanges, untrackedChanges } = repository.state;
  return [
    ...indexChanges.map((change) => toChange(change, true)),
    ...[...mergeChanges, ...workingTreeChanges, ...untrackedChanges].map((change) => toChange(change, false)),
  ];
}

async function diffOf(repository: Repository, path: string): Promise<string> {
  const { fsPath } = toUri(path);
  // Before the first commit there is no HEAD to compare with.
  return repository.diffWithHEAD(fsPath).catch(() => repository.diffIndexWithHEAD(fsPath).catch(() => ''));
}

/** Undefined where the extension is missing or switched off, as in an untrusted workspace. */
async function findGit(): Promise<Git | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension) return undefined;
  const git = await extension.activate();
  return git.enabled ? git.getAPI(1) : undefined;
}

function toChange({ uri, originalUri, renameUri, status }: Change, isStaged: boolean): FileChange {
  const state = status >= 12 ? 'conflicting' : (states[status] ?? 'other');
  const isRenamed = state === 'renamed' && renameUri !== undefined;
  return {
    path: toPath(isRenamed ? renameUri : uri),
    state,
    isStaged,
    ...(isRenamed && { from: toPath(originalUri) }),
  };
}
