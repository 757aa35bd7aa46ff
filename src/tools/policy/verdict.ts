import type { FileStat } from '../fileAccess.ts';
import type { WorkspaceFolder } from '../workspace.ts';
import type { Protection } from './protectedFiles.ts';
import type { Refusal } from './refusal.ts';

/** What somebody wants of a path. `attach` is the user's own choice of a file by hand. */
export type FileUse = 'read' | 'list' | 'edit' | 'create' | 'attach';

/** A file the policy lets through, under the one name that has no links in it. */
export interface GrantedFile {
  isAllowed: true;
  folder: WorkspaceFolder;
  /** To the folder, of the real path. */
  relative: string;
  /** How models and people name it: `relative`, with the folder's name in front where there are several. */
  shown: string;
  realPath: string;
  /** Undefined for a file that is to be created. */
  stat: FileStat | undefined;
  use: FileUse;
  /** Why changing it asks each time, whatever is allowed otherwise. */
  protection?: Protection;
}

export type Verdict = GrantedFile | Refusal;
