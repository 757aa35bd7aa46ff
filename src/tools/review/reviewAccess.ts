import * as l10n from '@vscode/l10n';
import { visibleName } from '../../base/text/visibleText.ts';
import { CheckedChange, type FileChange } from '../edits/checkedChange.ts';
import type { AppliedEdit } from '../edits/editJournal.ts';
import { type FileUse, type GrantedFile, refuse } from '../policy/verdict.ts';
import { FileMoves } from './fileMoves.ts';
import { granted, ToolFailure } from '../toolFailure.ts';
import type { ToolDependencies } from '../toolDependencies.ts';

export type FilePlace = Pick<AppliedEdit, 'path' | 'realPath'>;

/** Files for reviews, under the file policy. Stored conversations aren't trusted. */
export interface ReviewAccess {
  /** Finds an edit's file, which may have been renamed. Rejects if the shown path is another file's. */
  find(edit: FilePlace): Promise<FilePlace>;
  /** The text with unsaved changes; undefined if there is none. Rejects if it is blocked. */
  read(realPath: string): Promise<string | undefined>;
  /** Undefined: no file. Asks for protected files. Innermost folders come first. Rejects if the text isn't `before`. */
  write(edit: ReviewEdit): Promise<{ text: string | undefined; folders: string[] }>;
  removeFolder(path: string): Promise<void>;
}

export interface ReviewEdit {
  path: string;
  before: string | undefined;
  after: string | undefined;
}

export function createReviewAccess(
  deps: ToolDependencies,
  moves = new FileMoves(),
  confirm: (change: FileChange) => Promise<boolean> = async () => false,
): ReviewAccess {
  const { workspace, policy, texts } = deps;
  const judge = async (path: string, use: FileUse): Promise<GrantedFile> => {
    const file = granted(await policy.check(path, use));
    return granted(file.realPath === path ? file : refuse('changed', path));
  };
  return {
    async find({ path, realPath }) {
      const names = await policy.namesOf(realPath);
      if (names.length > 0 && !names.includes(path)) {
        throw new ToolFailure(
          `The edit names ${path}, but its file is ${names[0]}.`,
          undefined,
          l10n.t('The conversation refers to {0}, but its file is {1}.', visibleName(path), names[0] ?? ''),
        );
      }
      const moved = moves.follow(realPath);
      if (moved === realPath) return { path, realPath };
      // Another file may have taken its place.
      const isThere = await workspace.files.access.find(realPath).catch(() => undefined);
      if (isThere) return { path, realPath };
      const [now = path] = await policy.namesOf(moved);
      return { path: now, realPath: moved };
    },
    async read(realPath) {
      const verdict = await policy.check(realPath, 'edit');
      if (!verdict.isAllowed && verdict.reason === 'not-found') return undefined;
      return texts.readWhole(await judge(realPath, 'edit'));
    },
    async write({ path, before, after }) {
      const file = await judge(path, before === undefined ? 'create' : 'edit');
      const change = { file, before, after };
      if (file.protection && !(await confirm(change))) {
        const why = l10n.t("{0} is protected, and you didn't allow the change.", file.shown);
        throw new ToolFailure(`The user did not allow the change of ${file.shown}.`, undefined, why);
      }
      return (await CheckedChange.check(deps, change)).write();
    },
    async removeFolder(path) {
      await workspace.edits.removeFolder((await judge(path, 'list')).realPath);
    },
  };
}
