import * as l10n from '@vscode/l10n';
import { globProblem, globTest } from '../../base/files/matchGlob.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { type FileEntry, fileErrorKind, joinPath } from '../files/fileSystem.ts';
import type { FilePolicy } from '../policy/filePolicy.ts';
import { anywhere, exclusionTest } from '../policy/pathFilters.ts';
import type { PolicyRun } from '../policy/policyRun.ts';
import { type GrantedFile, isWithheld } from '../policy/verdict.ts';
import { secretName } from '../policy/secretByName.ts';
import type { Files } from '../files/workspace.ts';
import type { CommandWords } from './parseCommand.ts';
import { programOf, searchesFolder } from './unruledPrograms.ts';
import { createGiveWay } from '../../base/async/promises.ts';

const mostReadings = 200;
/** Entries of a folder, beyond which it asks instead of checking them. */
const mostEntries = 20_000;
const skippedFolders = new Set(['.git', 'node_modules']);

const separator = /[=:,;@(){}!^|"'\s]/;

export function pathsIn(word: string): string[] | undefined {
  const starts = [0];
  for (let at = 0; at < word.length; at++) if (separator.test(word.charAt(at))) starts.push(at + 1);
  const letters = /^-\w+/.exec(word)?.[0].length ?? 0;
  for (let at = 1; at <= letters; at++) starts.push(at);
  if (starts.length > mostReadings) return undefined;
  const paths = starts.flatMap((start) => {
    const rest = word.slice(start);
    const end = rest.search(separator);
    return end < 0 ? [rest] : [rest, rest.slice(0, end)];
  });
  return [...new Set(paths)].filter((path) => path !== '' && path !== '-');
}

interface Places {
  policy: FilePolicy;
  files: Files;
}

/** The localized reason why an allowed command still asks; `protects` adds protected files. */
export function objectionTo(
  commands: readonly CommandWords[],
  where: GrantedFile,
  places: Places,
  protects: boolean,
): Promise<string | undefined> {
  return new NamedPlaces(places, protects).judge(commands, where);
}

class NamedPlaces {
  private readonly run: PolicyRun;
  private readonly isExcluded;
  private readonly looked = new Map<string, Promise<string[] | undefined>>();

  constructor(
    private readonly places: Places,
    private readonly protects: boolean,
  ) {
    this.run = places.policy.start();
    this.isExcluded = exclusionTest(places.files.rules().toolsExclude.map(anywhere), true);
  }

  async judge(commands: readonly CommandWords[], where: GrantedFile): Promise<string | undefined> {
    const inner = await this.innerRepository(where);
    if (inner) return inner;
    // A `cd` can fail, so both folders count from then on.
    const folders = new Map([[where.realPath, where]]);
    for (const command of commands) {
      for (const folder of [...folders.values()]) {
        const objection = await this.judgeIn(folder, command);
        if (objection !== undefined) return objection;
        if (programOf(command[0]) !== 'cd') continue;
        const [, word = ''] = command;
        const target = await this.run.check(absoluteIn(folder, word), 'list');
        if (!target.isAllowed) {
          // Ignored folders can't be checked; models run nothing there either.
          if (isWithheld(target.reason)) return withheldMessage(word);
          continue;
        }
        const other = await this.innerRepository(target);
        if (other) return other;
        folders.set(target.realPath, target);
      }
    }
    return undefined;
  }

  private async judgeIn(folder: GrantedFile, command: CommandWords): Promise<string | undefined> {
    let namesAny = false;
    for (const word of new Set(command.slice(1))) {
      const paths = pathsIn(word);
      if (!paths) return withheldMessage(word);
      for (const path of paths) {
        const named = /[*?[{]/.test(path)
          ? await this.judgeGlob(folder, path, word)
          : await this.judgePath(folder, path, word);
        if (named.objection !== undefined) return named.objection;
        namesAny ||= named.isThere;
      }
    }
    if (namesAny || !searchesFolder(command)) return undefined;
    return (await this.judgeFolder(folder, '.')).objection;
  }

  private async judgePath(folder: GrantedFile, path: string, word: string): Promise<Named> {
    const absolute = absoluteIn(folder, path);
    const verdict = await this.run.check(absolute, 'read');
    if (verdict.isAllowed) return this.named(verdict, word);
    // Ignored files aren't secret.
    if (verdict.reason !== 'ignored' && isWithheld(verdict.reason)) return found(withheldMessage(word));
    if (verdict.reason === 'not-found') {
      if (!this.protects) return { isThere: false };
      const made = await this.run.check(absolute, 'create');
      return made.isAllowed ? { ...this.named(made, word), isThere: false } : { isThere: false };
    }
    const listed = verdict.reason === 'not-a-file' ? await this.run.check(absolute, 'list') : verdict;
    return listed.isAllowed ? this.judgeFolder(listed, word) : { isThere: verdict.reason !== 'invalid' };
  }

  private named({ protection }: GrantedFile, word: string): Named {
    if (!this.protects || !protection) return { isThere: true };
    return found(
      l10n.t('"{0}" is a protected file, so this command needs your approval each time.', visibleText(word)),
    );
  }

  /** Matches the last name in all folders, because programs differ in the meaning of `*`. */
  private async judgeGlob(folder: GrantedFile, path: string, word: string): Promise<Named> {
    const [base = ''] = /^(?:[^*?[{]*\/)?/.exec(path) ?? [];
    const last = path.slice(path.lastIndexOf('/') + 1);
    // Nobody can tell what a pattern climbs out of.
    if (path.slice(base.length).split('/').includes('..')) return found(withheldMessage(word));
    const within = await this.run.check(absoluteIn(folder, base), 'list');
    if (!within.isAllowed) {
      const isKept = within.reason !== 'ignored' && isWithheld(within.reason);
      return isKept ? found(withheldMessage(word)) : { isThere: false };
    }
    const withheld = await this.withheldIn(within);
    if (!withheld || globProblem(last) !== undefined) return found(withheldMessage(word));
    const fits = globTest(last, { ignoreCase: true });
    const hit = withheld.find((each) => last === '**' || each.split('/').some((name) => fits(name)));
    return hit === undefined ? { isThere: true } : found(containsMessage(word, hit));
  }

  private async judgeFolder(folder: GrantedFile, word: string): Promise<Named> {
    const withheld = await this.withheldIn(folder);
    if (!withheld) {
      return found(
        l10n.t(
          '"{0}" has too many files to check, so this command needs your approval each time.',
          visibleText(word),
        ),
      );
    }
    const [first] = withheld;
    return first === undefined ? { isThere: true } : found(containsMessage(word, first));
  }

  private withheldIn(folder: GrantedFile): Promise<string[] | undefined> {
    const known = this.looked.get(folder.realPath) ?? this.look(folder);
    this.looked.set(folder.realPath, known);
    return known;
  }

  /** Relative paths of secret and excluded entries and all below them; undefined if there are too many entries. */
  private async look({ realPath, relative }: GrantedFile): Promise<string[] | undefined> {
    const withheld: string[] = [];
    const open = [{ at: '', isInKept: false }];
    const giveWay = createGiveWay();
    let left = mostEntries;
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const { at, isInKept } = folder;
      const entries = await this.places.files.access.list(joinPath(realPath, at)).catch(entriesAfter);
      if (!entries) return undefined;
      left -= entries.length;
      if (left < 0) return undefined;
      const parent = joinPath(relative, at).split('/').at(-1) ?? '';
      for (const { name, type } of entries) {
        await giveWay();
        const isFolder = type === 'folder';
        if (isFolder && skippedFolders.has(name)) continue;
        const path = joinPath(at, name);
        const kind = secretName(name, parent, isFolder);
        const isBlocked = kind !== undefined || this.isExcluded(joinPath(relative, path));
        const isKept = isInKept || (isBlocked && kind !== 'repository');
        if (isKept) withheld.push(path);
        if (isFolder) open.push({ at: path, isInKept: isKept });
      }
    }
    return withheld;
  }

  /** Settings of a nested repository make Git and other tools run programs. */
  private async innerRepository({ realPath, relative }: GrantedFile): Promise<string | undefined> {
    const { access } = this.places.files;
    const names = relative.split('/').filter(Boolean);
    const root = relative === '' ? realPath : realPath.slice(0, -relative.length - 1);
    for (let depth = names.length; depth > 0; depth--) {
      const folder = joinPath(root, names.slice(0, depth).join('/'));
      const isThere = (name: string) => access.find(joinPath(folder, name)).catch(() => undefined);
      if ((await isThere('.git')) || ((await isThere('HEAD')) && (await isThere('objects')))) {
        const shown = visibleText(names.slice(0, depth).join('/'));
        return l10n.t(
          '"{0}" is another repository, whose settings can run programs, so commands in it need your approval each time.',
          shown,
        );
      }
    }
    return undefined;
  }
}

interface Named {
  objection?: string;
  isThere: boolean;
}

/** Folders that are gone or locked hold nothing for a command either; undefined for others, which are unknown. */
function entriesAfter(error: unknown): FileEntry[] | undefined {
  return fileErrorKind(error) === 'other' ? undefined : [];
}

function found(objection: string): Named {
  return { objection, isThere: true };
}

function absoluteIn({ realPath }: GrantedFile, path: string): string {
  return path.startsWith('/') ? path : joinPath(realPath, path);
}

function withheldMessage(word: string): string {
  return l10n.t(
    '"{0}" is blocked for models, so this command needs your approval each time.',
    visibleText(word),
  );
}

function containsMessage(word: string, name: string): string {
  return l10n.t(
    '"{0}" contains "{1}", which is blocked for models, so this command needs your approval each time.',
    visibleText(word),
    visibleText(name),
  );
}
