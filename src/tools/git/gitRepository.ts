import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { joinPath } from '../files/fileSystem.ts';
import type { CommittedFile, GitChange } from '../files/workspace.ts';
import { runGit } from './runGit.ts';
import { sha256 } from '../../base/sha256.ts';

/** Settings about files on disk; none of them runs anything. */
const harmless = /^core\.(autocrlf|eol|excludesfile|filemode|ignorecase|precomposeunicode|symlinks)$/;

const noCommit = /^0+$/;
const submoduleMode = '160000';

const commitId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** In bytes; contents of one `cat-file`. */
const mostRead = 4_000_000;

/** Runs no program that a repository names: Git reads its objects, index and files with a Git folder of ours. */
export class GitRepository {
  private place: ReturnType<GitRepository['findPlace']> | undefined;

  constructor(
    private readonly program: string,
    private readonly root: string,
  ) {}

  /** Changes since the last commit; `isKnown` is true for paths known to be changed, since filters don't run. */
  async changes(isKnown: (path: string) => boolean, signal: AbortSignal): Promise<GitChange[]> {
    const args = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=dirty'];
    const fields = (await this.run(args, signal)).toString().split('\0');
    const entries: StatusEntry[] = [];
    for (let field = fields.shift(); field !== undefined; field = fields.shift()) {
      const entry = toEntry(field, field.startsWith('2 ') ? fields.shift() : undefined);
      if (entry) entries.push(entry);
    }
    const unstaged = entries.filter(({ unstaged: letter }) => letter === 'M').map(({ path }) => path);
    const filtered = await this.filtered(unstaged, signal);
    return entries.flatMap((entry) => this.toChanges(entry, (path) => !filtered.has(path) || isKnown(path)));
  }

  /** Paths whose content isn't the last commit's, below some paths or in all; relative to the root. */
  async uncommitted(
    of: readonly string[],
    signal: AbortSignal,
  ): Promise<{ path: string; isDeleted: boolean }[]> {
    const args = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=dirty'];
    const fields = (await this.run([...args, '--no-renames', '--', ...of.map(literally)], signal)).toString();
    const entries = fields.split('\0').flatMap((field) => toEntry(field, undefined) ?? []);
    const unstaged = entries.filter(({ staged, unstaged: letter }) => staged === '.' && letter === 'M');
    // Git can't compare what a filter writes, such as Git LFS.
    const filtered = await this.filtered(
      unstaged.map(({ path }) => path),
      signal,
    );
    return entries
      .filter(({ path }) => !filtered.has(path))
      .map(({ path, staged, unstaged: letter }) => ({
        path,
        isDeleted: letter === 'D' || (staged === 'D' && letter === '.'),
      }));
  }

  /** Paths that differ between two commits, relative to the root. Rejects if one isn't there. */
  async changedBetween(from: string, to: string, signal: AbortSignal): Promise<string[]> {
    if (!isCommit(from) || !isCommit(to)) throw new Error('Not the id of a commit');
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to];
    const names = (await this.run(args, signal)).toString();
    return names.split('\0').filter((name) => name !== '');
  }

  /** HEAD as it is now. Without a branch, it is detached. */
  async head(signal: AbortSignal): Promise<{ commit?: string; branch?: string; isMerging: boolean }> {
    const ask = async (args: string[], input = '') =>
      (await runGit(this.program, args, { cwd: this.root, signal, input })).toString().trim();
    const [ids, branch] = await Promise.all([
      // Not `rev-parse`, which passes over what follows a name that it doesn't know.
      ask(['cat-file', '--batch-check=%(objectname)'], 'HEAD\nMERGE_HEAD\nCHERRY_PICK_HEAD\nREVERT_HEAD\n'),
      // Fails for a detached HEAD.
      ask(['symbolic-ref', '--quiet', '--short', 'HEAD']).catch(() => ''),
    ]);
    signal.throwIfAborted();
    const [commit, ...others] = ids.split('\n').map((id) => (isCommit(id) ? id : ''));
    const isMerging = others.some((id) => id !== '');
    return { ...(commit && { commit }), ...(branch && { branch }), isMerging };
  }

  async subjects(count: number, signal: AbortSignal): Promise<string[]> {
    // There is no log before the first commit, and less in a shallow clone.
    const log = await this.run(['log', `--max-count=${count}`, '--format=%s', '-z'], signal).catch(() => '');
    return log
      .toString()
      .split('\0')
      .filter((subject) => subject !== '');
  }

  /** By path in the repository: the contents of the last commit. Files over 4 MB are missing. */
  async committed(paths: readonly string[], signal: AbortSignal): Promise<Map<string, CommittedFile>> {
    const { commit } = await this.placeFor(signal);
    const found = new Map<string, CommittedFile>();
    const wanted = paths.filter((path) => !path.includes('\n'));
    if (!commitId.test(commit) || wanted.length === 0) return found;
    const names = wanted.map((path) => `${commit}:${path}\n`).join('');
    const checked = (await this.run(['cat-file', '--batch-check'], signal, names)).toString().split('\n');
    const blobs = wanted.flatMap((path, index) => {
      const [, id = '', size] = /^([0-9a-f]+) blob (\d+)$/.exec(checked[index] ?? '') ?? [];
      return id !== '' && Number(size) <= mostRead ? [{ path, id, size: Number(size) }] : [];
    });
    for (const batch of batches(blobs)) {
      const ids = batch.map(({ id }) => `${id}\n`).join('');
      const output = await this.run(['cat-file', '--batch'], signal, ids);
      let at = 0;
      for (const { path, size } of batch) {
        at = output.indexOf('\n', at) + 1;
        found.set(path, { commit, hashes: hashesOf(output.subarray(at, at + size)) });
        at += size + 1;
      }
    }
    return found;
  }

  /** Rejects if the commit doesn't have the file. */
  async readAt(path: string, commit: string, signal: AbortSignal): Promise<Uint8Array> {
    if (!commitId.test(commit)) throw new Error('not a commit');
    return this.run(['cat-file', 'blob', `${commit}:${path}`], signal);
  }

  private async filtered(paths: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    if (paths.length === 0) return new Set();
    const input = paths.map((path) => `${path}\0`).join('');
    const output = await this.run(['check-attr', '-z', '--stdin', 'filter'], signal, input);
    const found = output.toString().matchAll(/([^\0]+)\0filter\0([^\0]*)\0/g);
    return new Set(
      [...found].flatMap(([, path = '', value = '']) => (/^un(set|specified)$/.test(value) ? [] : path)),
    );
  }

  private toChanges(entry: StatusEntry, isCertain: (path: string) => boolean): GitChange[] {
    const { kind, staged, unstaged, from, inCommit, inIndex } = entry;
    const before = this.blob(inCommit);
    const change = { path: joinPath(this.root, entry.path), ...(before && { before }) };
    if (kind !== 'tracked') return [{ ...change, state: kind, isStaged: false }];
    const changes: GitChange[] = [];
    const index = this.blob(inIndex);
    if (staged !== '.') {
      const was = from === undefined ? {} : { from: joinPath(this.root, from) };
      changes.push({
        ...change,
        ...was,
        state: stateOf(staged),
        isStaged: true,
        ...(index && { staged: index }),
      });
    }
    if (unstaged !== '.' && isCertain(entry.path)) {
      changes.push({ ...change, state: stateOf(unstaged), isStaged: false });
    }
    return changes;
  }

  private blob({ mode, id }: Blob): ((signal: AbortSignal) => Promise<Uint8Array>) | undefined {
    if (noCommit.test(id) || mode === submoduleMode) return undefined;
    return (signal) => this.run(['cat-file', 'blob', id], signal);
  }

  private async run(args: readonly string[], signal: AbortSignal, input?: string): Promise<Buffer> {
    const { program, root } = this;
    const { index, common, commit, kept } = await this.placeFor(signal);
    const folder = await mkdtemp(join(tmpdir(), 'switchboard-git-'));
    try {
      await mkdir(join(folder, 'refs'));
      await mkdir(join(folder, 'info'));
      await writeFile(join(folder, 'HEAD'), commit || 'ref: refs/heads/none');
      if (commit.length > 40) await writeFile(join(folder, 'config'), objectsBySha256);
      for (const name of ['exclude', 'attributes']) {
        // Many repositories have none.
        await copyFile(join(common, 'info', name), join(folder, 'info', name)).catch(() => {});
      }
      const env = {
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: devNull,
        GIT_ATTR_NOSYSTEM: '1',
        GIT_DIR: folder,
        GIT_WORK_TREE: root,
        GIT_INDEX_FILE: index,
        GIT_OBJECT_DIRECTORY: join(common, 'objects'),
        GIT_SHALLOW_FILE: join(common, 'shallow'),
      };
      return await runGit(program, [...kept, ...args], { cwd: root, env, input, signal });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private placeFor(signal: AbortSignal) {
    return (this.place ??= this.findPlace(signal));
  }

  private async findPlace(signal: AbortSignal) {
    const { program, root } = this;
    const wanted = ['rev-parse', '--absolute-git-dir', '--git-common-dir', '--revs-only', 'HEAD'];
    const found = (await runGit(program, wanted, { cwd: root, signal })).toString();
    const [folder = '', common = '', commit = ''] = found.split(/\r?\n/);
    const set = await runGit(program, ['config', '-z', '--get-regexp', '^core[.]'], { cwd: root, signal });
    const kept = set
      .toString()
      .split('\0')
      .map((line) => line.split('\n', 2) as [string, string?])
      .filter(([name]) => harmless.test(name))
      .flatMap(([name, value = 'true']) => ['-c', `${name}=${value}`]);
    return { index: join(folder, 'index'), common: resolve(root, common), commit, kept };
  }
}

/** A path that isn't a pattern. */
function literally(path: string): string {
  return `:(top,literal)${path}`;
}

function isCommit(id: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(id);
}

const objectsBySha256 = '[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha256\n';

function* batches<T extends { size: number }>(blobs: readonly T[]): Generator<T[], void, void> {
  let batch: T[] = [];
  let sum = 0;
  for (const blob of blobs) {
    if (batch.length > 0 && sum + blob.size > mostRead) {
      yield batch;
      [batch, sum] = [[], 0];
    }
    batch.push(blob);
    sum += blob.size;
  }
  if (batch.length > 0) yield batch;
}

function hashesOf(content: Buffer): string[] {
  const hash = sha256(content);
  if (content.includes('\r') || content.includes(0) || !content.includes('\n')) return [hash];
  // latin1 keeps each byte.
  const checkedOut = Buffer.from(content.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
  return [hash, sha256(checkedOut)];
}

interface Blob {
  mode: string;
  id: string;
}

interface StatusEntry {
  path: string;
  kind: 'tracked' | 'untracked' | 'conflicting';
  /** Git's letters; `.` for none. */
  staged: string;
  unstaged: string;
  from?: string | undefined;
  inCommit: Blob;
  inIndex: Blob;
}

const none: Blob = { mode: '000000', id: '0' };

function toEntry(field: string, from: string | undefined): StatusEntry | undefined {
  const [, kind = '', rest = ''] = /^([12u?]) ([^]*)$/.exec(field) ?? [];
  const blobs = { inCommit: none, inIndex: none };
  if (kind === '?') {
    // A nested repository.
    if (rest.endsWith('/')) return undefined;
    return { path: rest, kind: 'untracked', staged: '.', unstaged: '?', ...blobs };
  }
  // xy, submodule, modes, ids and a rename score precede the path, which may have spaces.
  const count = { '1': 7, '2': 8, u: 9 }[kind];
  if (count === undefined) return undefined;
  const words = rest.split(' ');
  const path = words.slice(count).join(' ');
  const [xy = '..', , modeInCommit = '', modeInIndex = '', , idInCommit = '', idInIndex = ''] = words;
  if (kind === 'u') {
    // xy, submodule, 4 modes, then ids of the ancestor, ours and theirs; ours is the last commit's.
    const ours = { mode: words[3] ?? '', id: words[7] ?? '' };
    return { path, kind: 'conflicting', staged: '.', unstaged: '.', inCommit: ours, inIndex: none };
  }
  return {
    path,
    kind: 'tracked',
    staged: xy[0] ?? '.',
    unstaged: xy[1] ?? '.',
    from,
    inCommit: { mode: modeInCommit, id: idInCommit },
    inIndex: { mode: modeInIndex, id: idInIndex },
  };
}

const states: Record<string, GitChange['state']> = {
  M: 'modified',
  T: 'modified',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'added',
};

function stateOf(letter: string): GitChange['state'] {
  return states[letter] ?? 'other';
}
