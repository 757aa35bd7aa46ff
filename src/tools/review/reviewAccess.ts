import { missingFolders } from '../missingFolders.ts';
import { FileMoves } from './fileMoves.ts';
import { granted } from '../toolFailure.ts';
import type { ToolDependencies } from '../toolDependencies.ts';

/** What a review needs of files, under the file policy like every edit. */
export interface ReviewAccess {
  /** Where a file is now, which may have been renamed since it was there. */
  find(realPath: string): Promise<string>;
  /** The text as it is now, unsaved changes included; undefined if there is none. Rejects when it may not be read. */
  read(realPath: string): Promise<string | undefined>;
  /**
   * Puts another text in the place of `before`; undefined is no file. Resolves with the text as it is then, and the
   * folders that were made for it, innermost first. Rejects if the text is not `before` any more.
   */
  write(edit: ReviewEdit): Promise<{ text: string | undefined; folders: string[] }>;
  /** Removes a folder in which nothing is; rejects for any other. */
  removeFolder(path: string): Promise<void>;
}

export interface ReviewEdit {
  path: string;
  before: string | undefined;
  after: string | undefined;
}

export function createReviewAccess(
  { workspace, policy, texts }: ToolDependencies,
  moves = new FileMoves(),
): ReviewAccess {
  return {
    async find(realPath) {
      const place = moves.follow(realPath);
      if (place === realPath) return place;
      // Another one may stand in its place by now.
      const isThere = await workspace.files.access.find(realPath).catch(() => undefined);
      return isThere ? realPath : place;
    },
    async read(realPath) {
      const verdict = await policy.check(realPath, 'edit');
      if (!verdict.isAllowed && verdict.reason === 'not-found') return undefined;
      return texts.readWhole(granted(verdict));
    },
    async write(edit) {
      const isNew = edit.before === undefined;
      const { realPath } = granted(await policy.check(edit.path, isNew ? 'create' : 'edit'));
      const folders = isNew ? await missingFolders(workspace.files.access, realPath) : [];
      const text = await workspace.edits.apply({ ...edit, path: realPath });
      return { text: edit.after === undefined ? undefined : (text ?? edit.after), folders };
    },
    async removeFolder(path) {
      await workspace.edits.removeFolder(granted(await policy.check(path, 'list')).realPath);
    },
  };
}
