import { fileErrorKind, type FileStat, joinPath, relativeInside } from '../fileAccess.ts';
import type { Files, WorkspaceFolder } from '../workspace.ts';
import type { PathTest } from '../../base/glob.ts';
import { visibleName } from '../../base/visibleText.ts';
import { HardLinks } from './hardLinks.ts';
import { anywhere, exclusionTest } from './globs.ts';
import { IgnoreRules, isThere } from './ignoreRules.ts';
import { parsePath } from './paths.ts';
import { type Refusal, type RefusalReason, refuse } from './refusal.ts';
import { type Protection, protectionOf, protectionOfRoot } from './protectedFiles.ts';
import { isInCredentialStore, secretPath } from './secretFiles.ts';
import { isSystemPath, isWholeSystem } from './systemFolders.ts';
import type { FileUse, Verdict } from './verdict.ts';

export interface PolicyOptions {
  platform: NodeJS.Platform;
}

/** The policy as it stands at one moment. */
export class PolicyRun {
  readonly ignoreCase: boolean;
  /** True when `relative`, taken by itself, fits a glob of the settings. */
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

  /** The rules of ignore files below a folder's real path. */
  rulesOf(root: string): IgnoreRules {
    let rules = this.ignoreRules.get(root);
    if (!rules) {
      rules = new IgnoreRules(this.files.access, root, this.ignoreCase);
      this.ignoreRules.set(root, rules);
    }
    return rules;
  }

  /** How a file is named to models and people. */
  shownPath(folder: WorkspaceFolder, relative: string): string {
    if (this.files.folders().length === 1) return visibleName(relative) || '.';
    return visibleName(joinPath(folder.name, relative));
  }

  /** What the rules have against a path by its names, if anything; where it really leads is not looked up. */
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
    // Before anything is looked up, so that not even the existence of such a file is told.
    const secret = secretPath(parsed.relative, use === 'list');
    if (secret) return refuse(secret, path);

    let verdict: Verdict = refuse('not-found', path);
    for (const folder of parsed.folders) {
      verdict = await this.judgeIn(joinPath(folder.path, parsed.relative), path, use);
      if (verdict.isAllowed ? verdict.stat : verdict.reason !== 'not-found') return verdict;
    }
    if (use === 'create' && parsed.folders.length > 1) {
      const names = folders.map(({ name }) => name).join(', ');
      return refuse('invalid', path, `begin it with the workspace folder it is for (${names})`);
    }
    return verdict;
  }

  private async judgeIn(absolute: string, path: string, use: FileUse): Promise<Verdict> {
    const found = await this.resolve(absolute);
    if ('reason' in found) return refuse(found.reason, path);
    const { realPath, existing } = found;
    const place = await this.placeOf(realPath);
    if (!place) return refuse('outside', path, 'a symbolic link leads there');
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

  /**
   * The real paths a file has, or undefined if one of them is refused or lies where nobody can judge it.
   * @param realPath one of them, against which there is no objection
   */
  async judgeNames(
    realPath: string,
    stat: Pick<FileStat, 'identity' | 'links'>,
  ): Promise<readonly string[] | undefined> {
    if ((stat.links ?? 1) < 2) return [realPath];
    this.roots ??= this.realRoots();
    const names = await this.hardLinks.namesOf(stat, [...(await this.roots).values()]);
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

  /** The real path; for what does not exist that of the nearest folder above that does, and the rest as it is. */
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
      // A link to nothing yet: what is created through it would lie where it leads.
      if (await isThere(access, path)) return { reason: 'loop' };
      const cut = path.lastIndexOf('/');
      if (cut <= 0) return { reason: 'not-found' };
      missing = joinPath(path.slice(cut + 1), missing);
      path = path.slice(0, cut);
    }
  }

  /** The innermost workspace folder that really holds the path. */
  private async placeOf(
    realPath: string,
  ): Promise<{ folder: WorkspaceFolder; root: string; relative: string } | undefined> {
    this.roots ??= this.realRoots();
    let best: { folder: WorkspaceFolder; root: string; relative: string } | undefined;
    for (const [folder, root] of await this.roots) {
      const relative = relativeInside(root, realPath, this.isWindows);
      if (relative === undefined || (best && best.root.length >= root.length)) continue;
      best = { folder, root, relative };
    }
    return best;
  }

  private async realRoots(): Promise<Map<WorkspaceFolder, string>> {
    const roots = new Map<WorkspaceFolder, string>();
    for (const folder of this.files.folders()) {
      const root = await this.files.access.realPath(folder.path).catch(() => undefined);
      if (root !== undefined) roots.set(folder, root);
    }
    return roots;
  }
}

/** What an error of the file system means for the one who asked. */
export function systemReason(error: unknown): Refusal['reason'] {
  const kind = fileErrorKind(error);
  return kind === 'not-found' || kind === 'loop' ? kind : 'unreadable';
}

/** `a`, `a/b`, `a/b/c` of `a/b/c`. */
function prefixesOf(relative: string): string[] {
  const names = relative.split('/').filter(Boolean);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
