import * as l10n from '@vscode/l10n';

/** Why the policy keeps a file back. */
export const refusalReasons = [
  'invalid',
  'no-folder',
  'outside',
  'environment',
  'key',
  'credentials',
  'repository',
  'ignored',
  'excluded',
  'untrusted',
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
  /** A sentence in the person's language. */
  forPerson: string;
}

/** What is kept back by intent, as opposed to what does not exist or is not of the kind asked for. */
const withheld = new Set<RefusalReason>([
  'outside',
  'environment',
  'key',
  'credentials',
  'repository',
  'ignored',
  'excluded',
  'untrusted',
]);

export function isWithheld(reason: RefusalReason): boolean {
  return withheld.has(reason);
}

/** @param why for `invalid` and `outside`: what exactly is wrong, in English */
export function refuse(reason: RefusalReason, path: string, why = ''): Refusal {
  const shown = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
  return {
    isAllowed: false,
    reason,
    path,
    forModel: modelSentence(reason, shown, why),
    forPerson: personSentence(reason, path),
  };
}

const final =
  'This is a rule of the user\u2019s editor: do not try other ways to reach it; ask the user if it is needed.';

function modelSentence(reason: RefusalReason, path: string, why: string): string {
  switch (reason) {
    case 'invalid':
      return `${path} is not a usable path: ${why}. Give a path relative to the workspace folder, like src/main.ts.`;
    case 'no-folder':
      return 'No folder is open in the editor, so there are no files to work with. Ask the user to open one.';
    case 'outside':
      return `Refused: ${path} is outside the workspace${why && ` (${why})`}. Only files inside it can be used. ${final}`;
    case 'environment':
      return `Refused: ${path} is an environment file and may hold secrets. ${final}`;
    case 'key':
      return `Refused: ${path} is a key or certificate file. ${final}`;
    case 'credentials':
      return `Refused: ${path} is where credentials are kept. ${final}`;
    case 'repository':
      return `Refused: ${path} belongs to the inside of a repository. Use get_changes to see what changed. ${final}`;
    case 'ignored':
      return `Refused: ${path} is excluded by .gitignore or .switchboardignore. ${final}`;
    case 'excluded':
      return `Refused: ${path} is excluded by the user's settings. ${final}`;
    case 'untrusted':
      return `Refused: the user has not trusted this workspace, so only files the user attached can be read. ${final}`;
    case 'not-found':
      return `${path} does not exist. Use list_files or search_text to find the right path.`;
    case 'exists':
      return `${path} already exists. Use edit_file to change it, or choose another name.`;
    case 'not-a-file':
      return `${path} is not a file. Use list_files to see what a folder holds.`;
    case 'not-a-folder':
      return `${path} is not a folder. Use read_file to read a file.`;
    case 'loop':
      return `${path} is a symbolic link that leads nowhere or in a circle. Use another path.`;
    case 'unreadable':
      return `${path} cannot be read: the system does not permit it. Go on without it or ask the user.`;
    case 'changed':
      return `${path} was replaced by another file while it was used, so nothing was done. Try again.`;
  }
}

function personSentence(reason: RefusalReason, path: string): string {
  switch (reason) {
    case 'invalid':
      return l10n.t('"{0}" is not a usable path.', path);
    case 'no-folder':
      return l10n.t('No folder is open.');
    case 'outside':
      return l10n.t('"{0}" is outside the workspace.', path);
    case 'environment':
      return l10n.t('"{0}" is an environment file and may hold secrets.', path);
    case 'key':
      return l10n.t('"{0}" is a key or certificate file.', path);
    case 'credentials':
      return l10n.t('"{0}" is where credentials are kept.', path);
    case 'repository':
      return l10n.t('"{0}" belongs to the inside of a repository.', path);
    case 'ignored':
      return l10n.t('"{0}" is excluded by .gitignore or .switchboardignore.', path);
    case 'excluded':
      return l10n.t('"{0}" is excluded by your settings.', path);
    case 'untrusted':
      return l10n.t('This workspace is not trusted, so only files you attached can be read.');
    case 'not-found':
      return l10n.t('"{0}" does not exist.', path);
    case 'exists':
      return l10n.t('"{0}" exists already.', path);
    case 'not-a-file':
      return l10n.t('"{0}" is not a file.', path);
    case 'not-a-folder':
      return l10n.t('"{0}" is not a folder.', path);
    case 'loop':
      return l10n.t('"{0}" is a link that leads nowhere or in a circle.', path);
    case 'unreadable':
      return l10n.t('"{0}" cannot be read: the system does not permit it.', path);
    case 'changed':
      return l10n.t('"{0}" was replaced by another file while it was used.', path);
  }
}
