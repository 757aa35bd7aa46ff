import { fileErrorKind, type FileStat, joinPath, relativeInside } from '../files/fileSystem.ts';
import type { Files, WorkspaceFolder } from '../files/workspace.ts';
import type { PathTest } from '../../base/files/matchGlob.ts';
import { visibleName } from '../../base/text/visibleText.ts';
import { HardLinks } from './hardLinks.ts';
import { anywhere, exclusionTest } from './pathFilters.ts';
import { IgnoreRules, isThere } from './ignoreRules.ts';
import { parsePath } from './parsePath.ts';
import { type FileUse, type Refusal, type RefusalReason, refuse, type Verdict } from './verdict.ts';
import { type Protection, protectionOf, protectionOfRoot } from './protectedFiles.ts';
import { mayHoldSecrets, secretContentOf } from './secretByContent.ts';
import { isInCredentialStore, type SecretKind, secretPath } from './secretByName.ts';

export interface PolicyOptions {
  platform: NodeJS.Platform;
}

export class PolicyRun {
  readonly ignoreCase: boolean;
  /** Tests one path without its parent folders. */
  readonly isExcluded: PathTest;
  private readonly isProtected: PathTest;
  private readonly isTrusted: boolean;
  private readonly isWindows: boolean;
  private readonly ignoreRules = new Map<string, IgnoreRules>();
  private roots: Promise<Map<WorkspaceFolder, string>> | undefined;

  constructor(
    private readonly files: Files,
    { platform }: PolicyOptions,
    private readonly isAttached: (realPath: string) => boolean,
    private readonly hardLinks = new HardLinks(files.access),
  ) {
    const rules = files.rules();
    this.isTrusted = rules.isTrusted;
    this.isWindows = platform === 'win32';
    this.ignoreCase = platform === 'win32' || platform === 'darwin';
    this.isExcluded = exclusionTest(
      [...rules.filesExclude, ...rules.toolsExclude.map(anywhere)],
      this.ignoreCase,
    );
    this.isProtected = exclusionTest(rules.toolsProtected.map(anywhere), this.ignoreCase);
  }

  async check(path: string, use: FileUse): Promise<Verdict> {
    try {
      return await this.judge(path, use);
    } catch (error) {
      return refuse(systemReason(error), path);
    }
  }

  rulesOf(root: string): IgnoreRules {
    let rules = this.ignoreRules.get(root);
    if (!rules) {
      rules = new IgnoreRules(this.files.access, root, this.ignoreCase);
      this.ignoreRules.set(root, rules);
    }
    return rules;
  }

  shownPath(folder: WorkspaceFolder, relative: string): string {
    if (this.files.folders().length === 1) return visibleName(relative) || '.';
    return visibleName(joinPath(folder.name, relative));
  }

  async namesOf(realPath: string): Promise<readonly string[]> {
    const named = await this.placeOf(realPath);
    if (!named) return [];
    const { folder, relative } = named;
    return [
      this.shownPath(folder, relative),
      ...[relative, joinPath(folder.name, relative)].map(visibleName),
    ];
  }

  /** The objection to a path by its names, without accessing it. */
  async objection(root: string, relative: string, isFolder: boolean): Promise<RefusalReason | undefined> {
    const secret = secretPath(relative, isFolder);
    if (secret) return secret;
    if (await this.rulesOf(root).excludes(relative, isFolder)) return 'ignored';
    return prefixesOf(relative).some((prefix) => this.isExcluded(prefix)) ? 'excluded' : undefined;
  }

  private async judge(path: string, use: FileUse): Promise<Verdict> {
    const folders = this.files.folders();
    if (folders.length === 0) return refuse('no-folder', path);
    const parsed = parsePath(path, folders, this.isWindows);
    if ('problem' in parsed) return refuse(parsed.problem, path, parsed.why);
    // Before any access, so that not even existence is revealed.
    const secret = secretPath(parsed.relative, use === 'list');
    if (secret) return refuse(secret, path);

    let verdict: Verdict = refuse('not-found', path);
    for (const folder of parsed.folders) {
      verdict = await this.judgeIn(folder, parsed.relative, path, use);
      if (verdict.isAllowed ? verdict.stat : verdict.reason !== 'not-found') return verdict;
    }
    if (use === 'create' && parsed.folders.length > 1) {
      const names = folders.map(({ name }) => name).join(', ');
      return refuse('invalid', path, `begin it with the workspace folder it is for (${names})`);
    }
    return verdict;
  }

  private async judgeIn(asked: WorkspaceFolder, below: string, path: string, use: FileUse): Promise<Verdict> {
    const found = await this.resolve(joinPath(asked.path, below));
    if ('reason' in found) return refuse(found.reason, path);
    const { realPath, existing } = found;
    const place = await this.placeOf(realPath);
    if (!place) {
      const isGone = [...(await this.existingRoots).keys()].every(({ path: each }) => each !== asked.path);
      return isGone ? refuse('not-found', path) : refuse('outside', path, 'a symbolic link leads there');
    }
    const { folder, root, relative } = place;
    if (isWholeSystem(root)) return refuse('whole-system', path);
    if (isSystemPath(realPath)) return refuse('system', path);
    const secret =
      secretPath(relative, use === 'list') ?? (isInCredentialStore(root) ? 'credentials' : undefined);
    if (secret) return refuse(secret, path);
    if (!this.isTrusted && use !== 'attach' && (use !== 'read' || !this.isAttached(realPath))) {
      return refuse('untrusted', path);
    }
    const nearest = await this.files.access.stat(existing);
    const stat = existing === realPath ? nearest : undefined;
    if (!stat && use !== 'create') return refuse('not-found', path);
    if (!stat && nearest.type !== 'folder') return refuse('invalid', path, 'a folder in it is a file');

    const isFolder = stat?.type === 'folder';
    const reason = await this.objection(root, relative, isFolder);
    if (reason) return refuse(reason, path);
    if (use === 'create' && stat) return refuse('exists', path);
    if (use === 'list' && !isFolder) return refuse('not-a-folder', path);
    if (use !== 'list' && stat && stat.type !== 'file') return refuse('not-a-file', path);
    const names = stat?.type === 'file' ? await this.judgeNames(realPath, stat) : [realPath];
    if (!names) return refuse('linked', path);
    const content = use === 'list' || !stat ? undefined : await this.contentOf(realPath);
    if (content) return refuse(content, path);
    const protection = await this.protectionOf(names);
    return {
      isAllowed: true,
      folder,
      relative,
      shown: this.shownPath(folder, relative),
      realPath,
      stat,
      use,
      ...(protection && { protection }),
    };
  }

  /** For files that are named but not read; reading judges again. */
  private async contentOf(realPath: string): Promise<SecretKind | undefined> {
    if (!mayHoldSecrets(realPath)) return undefined;
    const open = await this.files.access.open(realPath);
    try {
      return await secretContentOf(realPath, open);
    } finally {
      await open.close();
    }
  }

  /** All real paths of a file; undefined if one is refused or can't be judged. `realPath` has no objection. */
  async judgeNames(
    realPath: string,
    stat: Pick<FileStat, 'identity' | 'links'>,
  ): Promise<readonly string[] | undefined> {
    if ((stat.links ?? 1) < 2) return [realPath];
    const names = await this.hardLinks.namesOf(stat, [...(await this.existingRoots).values()]);
    for (const name of names ?? []) {
      const place = name === realPath ? undefined : await this.placeOf(name);
      if (place && (await this.objection(place.root, place.relative, false))) return undefined;
    }
    return names;
  }

  private async protectionOf(names: readonly string[]): Promise<Protection | undefined> {
    for (const name of names) {
      const place = await this.placeOf(name);
      const protection =
        place && (protectionOfRoot(place.root) ?? protectionOf(place.relative, this.isProtected));
      if (protection) return protection;
    }
    return undefined;
  }

  /** The real path; for a missing file, that of the nearest existing folder plus the rest. */
  private async resolve(
    absolute: string,
  ): Promise<{ realPath: string; existing: string } | { reason: Refusal['reason'] }> {
    const { access } = this.files;
    let missing = '';
    for (let path = absolute; ;) {
      try {
        const realPath = await access.realPath(path);
        return { realPath: joinPath(realPath, missing), existing: realPath };
      } catch (error) {
        if (fileErrorKind(error) !== 'not-found') return { reason: systemReason(error) };
      }
      // A dangling link: a file created through it would be elsewhere.
      if (await isThere(access, path)) return { reason: 'loop' };
      const cut = path.lastIndexOf('/');
      if (cut <= 0) return { reason: 'not-found' };
      missing = joinPath(path.slice(cut + 1), missing);
      path = path.slice(0, cut);
    }
  }

  private async placeOf(
    realPath: string,
  ): Promise<{ folder: WorkspaceFolder; root: string; relative: string } | undefined> {
    let best: { folder: WorkspaceFolder; root: string; relative: string } | undefined;
    for (const [folder, root] of await this.existingRoots) {
      const relative = relativeInside(root, realPath, this.isWindows);
      if (relative === undefined || (best && best.root.length >= root.length)) continue;
      best = { folder, root, relative };
    }
    return best;
  }

  private get existingRoots(): Promise<Map<WorkspaceFolder, string>> {
    return (this.roots ??= this.readRoots());
  }

  private async readRoots(): Promise<Map<WorkspaceFolder, string>> {
    const roots = new Map<WorkspaceFolder, string>();
    for (const folder of this.files.folders()) {
      const root = await this.files.access.realPath(folder.path).catch(() => undefined);
      if (root !== undefined) roots.set(folder, root);
    }
    return roots;
  }
}

export function systemReason(error: unknown): Refusal['reason'] {
  const kind = fileErrorKind(error);
  return kind === 'not-found' || kind === 'loop' ? kind : 'unreadable';
}

function prefixesOf(relative: string): string[] {
  const names = relative.split('/').filter(Boolean);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Memory, devices, and secrets of containers. */
const systemFolders = [
  '/proc',
  '/sys',
  '/dev',
  '/run/secrets',
  '/var/run/secrets',
  '/run/user',
  '/run/credentials',
];

function isSystemPath(realPath: string): boolean {
  return systemFolders.some((folder) => realPath === folder || realPath.startsWith(`${folder}/`));
}

function isWholeSystem(root: string): boolean {
  return /^\/*$/.test(root) || /^c:\/*$/i.test(root);
}
