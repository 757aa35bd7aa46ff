import type { FileStat } from '../files/fileSystem.ts';
import type { WorkspaceFolder } from '../files/workspace.ts';
import type { Protection } from './protectedFiles.ts';
import type { Refusal } from './fileRefusal.ts';

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
