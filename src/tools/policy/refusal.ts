import * as l10n from '@vscode/l10n';

/** What is blocked by intent, as opposed to what does not exist or is not of the kind asked for. */
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

/** Why the policy keeps a file back. */
export const refusalReasons = [
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
export type RefusalReason = (typeof refusalReasons)[number];

export interface Refusal {
  isAllowed: false;
  reason: RefusalReason;
  /** The path as it was given. */
  path: string;
  /** What failed and what to try next, in English. */
  forModel: string;
  /** A sentence in the user's language. */
  forUser: string;
}

export function isWithheld(reason: RefusalReason): boolean {
  return withheldReasons.some((each) => each === reason);
}

/** @param why for `invalid` and `outside`: what exactly is wrong, in English */
export function refuse(reason: RefusalReason, path: string, why = ''): Refusal {
  return { isAllowed: false, reason, path, ...messagesFor(reason, path, why) };
}

const final =
  'This is a rule of the user\u2019s editor: do not try other ways to reach it; ask the user if it is needed.';

/** Both words for one reason. The model's are in English and say what to try next. */
function messagesFor(
  reason: RefusalReason,
  path: string,
  why: string,
): Pick<Refusal, 'forModel' | 'forUser'> {
  const name = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
  switch (reason) {
    case 'invalid':
      return {
        forModel: `${name} is not a usable path: ${why}. Give a path relative to the workspace folder, like src/main.ts.`,
        forUser: l10n.t('"{0}" is not a usable path.', path),
      };
    case 'no-folder':
      return {
        forModel:
          'No folder is open in the editor, so there are no files to work with. Ask the user to open one.',
        forUser: l10n.t('No folder is open.'),
      };
    case 'outside':
      return {
        forModel: `Refused: ${name} is outside the workspace${why && ` (${why})`}. Only files inside it can be used. ${final}`,
        forUser: l10n.t('"{0}" is outside the workspace.', path),
      };
    case 'system':
      return {
        forModel: `Refused: ${name} belongs to the operating system. ${final}`,
        forUser: l10n.t('"{0}" belongs to the operating system.', path),
      };
    case 'whole-system':
      return {
        forModel: `Refused: the user has opened the whole file system and not a project, so no file of it can be used. Ask the user to open the folder of the project.`,
        forUser: l10n.t(
          'The whole file system is open as the workspace, so its files are not used. Open the folder of your project.',
        ),
      };
    case 'linked':
      return {
        forModel: `Refused: ${name} is a hard link, and another name of the same file is outside the workspace or may not be used. ${final}`,
        forUser: l10n.t(
          '"{0}" is a hard link, and another name of the same file is outside the workspace or blocked. Attach a copy instead.',
          path,
        ),
      };
    case 'environment':
      return {
        forModel: `Refused: ${name} is an environment file and may hold secrets. ${final}`,
        forUser: l10n.t('"{0}" is an environment file and may contain secrets.', path),
      };
    case 'key':
      return {
        forModel: `Refused: ${name} is a key or certificate file. ${final}`,
        forUser: l10n.t('"{0}" is a key or certificate file.', path),
      };
    case 'credentials':
      return {
        forModel: `Refused: ${name} is where credentials are kept. ${final}`,
        forUser: l10n.t('"{0}" stores credentials.', path),
      };
    case 'repository':
      return {
        forModel: `Refused: ${name} belongs to the inside of a repository. Use get_changes to see what changed. ${final}`,
        forUser: l10n.t('"{0}" is inside .git.', path),
      };
    case 'ignored':
      return {
        forModel: `Refused: ${name} is excluded by .gitignore or .switchboardignore. ${final}`,
        forUser: l10n.t('"{0}" is excluded by .gitignore or .switchboardignore.', path),
      };
    case 'excluded':
      return {
        forModel: `Refused: ${name} is excluded by the user's settings. ${final}`,
        forUser: l10n.t('"{0}" is excluded by your settings.', path),
      };
    case 'untrusted':
      return {
        forModel: `Refused: the user has not trusted this workspace, so only files the user attached can be read. ${final}`,
        forUser: l10n.t('This workspace is not trusted, so only files you attached can be read.'),
      };
    case 'not-found':
      return {
        forModel: `${name} does not exist. Use list_files or search_text to find the right path.`,
        forUser: l10n.t('"{0}" does not exist.', path),
      };
    case 'exists':
      return {
        forModel: `${name} already exists. Use edit_file to change it, or choose another name.`,
        forUser: l10n.t('"{0}" exists already.', path),
      };
    case 'not-a-file':
      return {
        forModel: `${name} is not a file. Use list_files to see what a folder holds.`,
        forUser: l10n.t('"{0}" is not a file.', path),
      };
    case 'not-a-folder':
      return {
        forModel: `${name} is not a folder. Use read_file to read a file.`,
        forUser: l10n.t('"{0}" is not a folder.', path),
      };
    case 'loop':
      return {
        forModel: `${name} is a symbolic link that leads nowhere or in a circle. Use another path.`,
        forUser: l10n.t('"{0}" is a broken or circular link.', path),
      };
    case 'unreadable':
      return {
        forModel: `${name} cannot be read: the system does not permit it. Go on without it or ask the user.`,
        forUser: l10n.t('"{0}" cannot be read: the system does not permit it.', path),
      };
    case 'changed':
      return {
        forModel: `${name} was replaced by another file while it was used, so nothing was done. Try again.`,
        forUser: l10n.t('"{0}" was replaced by another file while it was in use.', path),
      };
  }
}
