import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { joinPath, relativeInside } from '../../tools/files/fileSystem.ts';
import { GitRepository } from '../../tools/git/gitRepository.ts';
import type { CommittedFile, GitChange, SourceControl } from '../../tools/files/workspace.ts';
import { toPath } from './workspacePlaces.ts';

interface Git {
  git: { path: string };
  repositories: Repository[];
  onDidOpenRepository: vscode.Event<Repository>;
}

interface GitExtension {
  enabled: boolean;
  getAPI(version: 1): Git;
}

export interface Repository {
  rootUri: vscode.Uri;
  inputBox: { value: string };
  state: Record<'mergeChanges' | 'workingTreeChanges', Change[]> & {
    indexChanges: Change[];
    /** Only where the user has them apart. */
    untrackedChanges?: Change[];
    HEAD: { name?: string; commit?: string } | undefined;
    onDidChange: vscode.Event<void>;
  };
}

interface Change {
  uri: vscode.Uri;
}

export const sourceControl: SourceControl = {
  async changes(signal) {
    const git = await findGit();
    if (!git || git.repositories.length === 0) return undefined;
    const changes: GitChange[] = [];
    for (const repository of git.repositories) changes.push(...(await changesIn(git, repository, signal)));
    return changes;
  },

  async committed(paths, signal) {
    const found = new Map<string, CommittedFile>();
    const git = await findGit();
    for (const [repository, inside] of git ? byRepository(git, paths) : []) {
      const files = await readerOf(git!, repository).committed([...inside.keys()], signal);
      for (const [path, file] of files) found.set(inside.get(path) ?? path, file);
    }
    return found;
  },

  async readAt(path, commit, signal) {
    const git = await findGit();
    const [place] = git ? byRepository(git, [path]) : [];
    const [relative] = place?.[1].keys() ?? [];
    if (!git || !place || relative === undefined) return undefined;
    // The commit may be gone after a rebase, or beyond a shallow clone.
    return readerOf(git, place[0])
      .readAt(relative, commit, signal)
      .catch(() => undefined);
  },

  async branch() {
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    // Questions don't wait for the extension to start.
    if (!extension?.isActive || !extension.exports.enabled) return undefined;
    const { name, commit } = extension.exports.getAPI(1).repositories[0]?.state.HEAD ?? {};
    return name ?? (commit && `detached at ${commit.slice(0, 8)}`);
  },
};

export async function findRepositories(): Promise<readonly Repository[]> {
  return (await findGit())?.repositories ?? [];
}

export async function findRepositoryOf(
  folder: string,
): Promise<{ program: string; root: string; repository: Repository } | undefined> {
  const git = await findGit();
  const found = (git?.repositories ?? [])
    .map((repository) => ({ repository, root: toPath(repository.rootUri) }))
    .filter(({ root }) => relativeInside(root, folder, process.platform === 'win32') !== undefined)
    .toSorted((a, b) => b.root.length - a.root.length)[0];
  return git && found && { program: git.git.path, ...found };
}

/** Tells of repositories that are found later than the window opens, as after a reload. */
export async function onDidOpenRepository(listener: () => void): Promise<vscode.Disposable | undefined> {
  return (await findGit())?.onDidOpenRepository(listener);
}

/** Reports whether there is anything to commit, by the editor's own state: no program is run. */
export async function watchLocalChanges(listener: (hasChanges: boolean) => void): Promise<vscode.Disposable> {
  const git = await findGit();
  const listening: vscode.Disposable[] = [];
  if (!git) return vscode.Disposable.from();
  const tell = () =>
    listener(
      git.repositories
        .filter(isThere)
        .some(({ state }) =>
          [
            ...[state.mergeChanges, state.workingTreeChanges],
            ...[state.indexChanges, state.untrackedChanges ?? []],
          ].some(({ length }) => length > 0),
        ),
    );
  const follow = ({ state }: Repository) => listening.push(state.onDidChange(tell));
  git.repositories.forEach(follow);
  listening.push(
    git.onDidOpenRepository((repository) => {
      follow(repository);
      tell();
    }),
  );
  tell();
  return { dispose: () => listening.forEach((each) => void each.dispose()) };
}

const newestCommits = 10;

export async function toCommit(repository: Repository, signal: AbortSignal) {
  const git = await findGit();
  const all = git ? await changesIn(git, repository, signal) : [];
  const staged = all.filter(({ isStaged }) => isStaged);
  const changes = staged.length > 0 ? staged : all;
  const narrowed: SourceControl = { ...sourceControl, changes: async () => changes };
  const subjects = git ? await readerOf(git, repository).subjects(newestCommits, signal) : [];
  return { isEmpty: changes.length === 0, sourceControl: narrowed, subjects };
}

/** The editor's own list is delayed, and refreshing it would run the repository's filters and file monitor. */
async function changesIn(git: Git, repository: Repository, signal: AbortSignal): Promise<GitChange[]> {
  if (!isThere(repository)) return [];
  const { mergeChanges, workingTreeChanges } = repository.state;
  const known = new Set([...mergeChanges, ...workingTreeChanges].map(({ uri }) => toPath(uri)));
  const root = toPath(repository.rootUri);
  return readerOf(git, repository).changes((path) => known.has(joinPath(root, path)), signal);
}

function byRepository(git: Git, paths: readonly string[]): Map<Repository, Map<string, string>> {
  const found = new Map<Repository, Map<string, string>>();
  const roots = git.repositories
    .filter(isThere)
    .map((repository) => ({ repository, root: toPath(repository.rootUri) }))
    .toSorted((a, b) => b.root.length - a.root.length);
  for (const path of paths) {
    for (const { repository, root } of roots) {
      const relative = relativeInside(root, path, process.platform !== 'linux');
      if (!relative) continue;
      const inside = found.get(repository) ?? new Map<string, string>();
      found.set(repository, inside.set(relative, path));
      break;
    }
  }
  return found;
}

/** The editor keeps repositories of deleted folders for a while. */
function isThere({ rootUri }: Repository): boolean {
  return existsSync(rootUri.fsPath);
}

function readerOf({ git }: Git, { rootUri }: Repository): GitRepository {
  return new GitRepository(git.path, toPath(rootUri));
}

/** Undefined if the extension is missing or disabled, as in an untrusted workspace. */
async function findGit(): Promise<Git | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension) return undefined;
  const git = await extension.activate();
  return git.enabled ? git.getAPI(1) : undefined;
}
