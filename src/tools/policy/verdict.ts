import * as l10n from '@vscode/l10n';
import type { FileStat } from '../files/fileSystem.ts';
import type { WorkspaceFolder } from '../files/workspace.ts';
import type { Protection } from './protectedFiles.ts';

/** `attach` is the user's own choice of a file. */
export type FileUse = 'read' | 'list' | 'edit' | 'create' | 'attach';

export interface GrantedFile {
  isAllowed: true;
  folder: WorkspaceFolder;
  /** To the folder, of the real path. */
  relative: string;
  /** For models and the user: `relative`, after the folder's name if there are several. */
  shown: string;
  realPath: string;
  stat: FileStat | undefined;
  use: FileUse;
  protection?: Protection;
}

export type Verdict = GrantedFile | Refusal;

/** Blocked on purpose, unlike missing or unsuitable files. */
const withheldReasons = [
  'outside',
  'system',
  'whole-system',
  'linked',
  'environment',
  'key',
  'credentials',
  'repository',
  'ignored',
  'excluded',
  'untrusted',
] as const;

const refusalReasons = [
  'invalid',
  'no-folder',
  ...withheldReasons,
  'not-found',
  'exists',
  'not-a-file',
  'not-a-folder',
  'loop',
  'unreadable',
  'changed',
] as const;

const final =
  'This is a rule of the user\u2019s editor: do not try other ways to reach it; ask the user if it is needed.';

/** The messages of each reason; `name` is the quoted path, cut if it is long. */
const messages: Readonly<Record<RefusalReason, (name: string, path: string, why: string) => Messages>> = {
  invalid: (name, path, why) => ({
    forModel: `${name} is not a usable path: ${why}. Give a path relative to the workspace folder, like src/main.ts.`,
    forUser: l10n.t('"{0}" isn\'t a valid path.', path),
  }),
  'no-folder': () => ({
    forModel:
      'No folder is open in the editor, so there are no files to work with. Ask the user to open one.',
    forUser: l10n.t('No folder is open.'),
  }),
  outside: (name, path, why) => ({
    forModel: `Refused: ${name} is outside the workspace${why && ` (${why})`}. Only files inside it can be used. ${final}`,
    forUser: l10n.t('"{0}" is outside the workspace.', path),
  }),
  system: (name, path) => ({
    forModel: `Refused: ${name} belongs to the operating system. ${final}`,
    forUser: l10n.t('"{0}" belongs to the operating system.', path),
  }),
  'whole-system': () => ({
    forModel: `Refused: the user has opened the whole file system and not a project, so no file of it can be used. Ask the user to open the folder of the project.`,
    forUser: l10n.t(
      'The whole file system is open as the workspace, so its files are not used. Open the folder of your project.',
    ),
  }),
  linked: (name, path) => ({
    forModel: `Refused: ${name} is a hard link, and another name of the same file is outside the workspace or may not be used. ${final}`,
    forUser: l10n.t(
      '"{0}" is a hard link, and another name of the same file is outside the workspace or blocked. Attach a copy instead.',
      path,
    ),
  }),
  environment: (name, path) => ({
    forModel: `Refused: ${name} is an environment file and may hold secrets. ${final}`,
    forUser: l10n.t('"{0}" is an environment file and may contain secrets.', path),
  }),
  key: (name, path) => ({
    forModel: `Refused: ${name} is a key or certificate file. ${final}`,
    forUser: l10n.t('"{0}" is a key or certificate file.', path),
  }),
  credentials: (name, path) => ({
    forModel: `Refused: ${name} is where credentials are kept. ${final}`,
    forUser: l10n.t('"{0}" stores credentials.', path),
  }),
  repository: (name, path) => ({
    forModel: `Refused: ${name} belongs to the inside of a repository. Use get_changes to see what changed. ${final}`,
    forUser: l10n.t('"{0}" is inside .git.', path),
  }),
  ignored: (name, path) => ({
    forModel: `Refused: ${name} is excluded by .gitignore or .switchboardignore. ${final}`,
    forUser: l10n.t('"{0}" is excluded by .gitignore or .switchboardignore.', path),
  }),
  excluded: (name, path) => ({
    forModel: `Refused: ${name} is excluded by the user's settings. ${final}`,
    forUser: l10n.t('"{0}" is excluded by your settings.', path),
  }),
  untrusted: () => ({
    forModel: `Refused: the user has not trusted this workspace, so only files the user attached can be read. ${final}`,
    forUser: l10n.t("This workspace isn't trusted, so only files you attached can be read."),
  }),
  'not-found': (name, path) => ({
    forModel: `${name} does not exist. Use list_files or search_text to find the right path.`,
    forUser: l10n.t('"{0}" doesn\'t exist.', path),
  }),
  exists: (name, path) => ({
    forModel: `${name} already exists. Use edit_file to change it, or choose another name.`,
    forUser: l10n.t('"{0}" already exists.', path),
  }),
  'not-a-file': (name, path) => ({
    forModel: `${name} is not a file. Use list_files to see what a folder holds.`,
    forUser: l10n.t('"{0}" isn\'t a file.', path),
  }),
  'not-a-folder': (name, path) => ({
    forModel: `${name} is not a folder. Use read_file to read a file.`,
    forUser: l10n.t('"{0}" isn\'t a folder.', path),
  }),
  loop: (name, path) => ({
    forModel: `${name} is a symbolic link that leads nowhere or in a circle. Use another path.`,
    forUser: l10n.t('"{0}" is a broken or circular link.', path),
  }),
  unreadable: (name, path) => ({
    forModel: `${name} cannot be read: the system does not permit it. Go on without it or ask the user.`,
    forUser: l10n.t('"{0}" can\'t be read: permission denied.', path),
  }),
  changed: (name, path) => ({
    forModel: `${name} was replaced by another file while it was used, so nothing was done. Try again.`,
    forUser: l10n.t('"{0}" was replaced by another file while it was in use.', path),
  }),
};

export type RefusalReason = (typeof refusalReasons)[number];

export interface Refusal {
  isAllowed: false;
  reason: RefusalReason;
  path: string;
  /** The failure and the next step, in English. */
  forModel: string;
  forUser: string;
}

export function isWithheld(reason: RefusalReason): boolean {
  return withheldReasons.some((each) => each === reason);
}

/** @param why for `invalid` and `outside`, in English */
export function refuse(reason: RefusalReason, path: string, why = ''): Refusal {
  return { isAllowed: false, reason, path, ...messagesFor(reason, path, why) };
}

type Messages = Pick<Refusal, 'forModel' | 'forUser'>;

function messagesFor(reason: RefusalReason, path: string, why: string): Messages {
  const name = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
  return messages[reason](name, path, why);
}
