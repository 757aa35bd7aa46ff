import type { FilePolicy } from './policy/filePolicy.ts';
import type { FileTexts } from './files/fileTexts.ts';
import type { NewErrors } from './edits/newErrors.ts';
import type { FileSearch } from './search/fileSearch.ts';
import type { Workspace } from './files/workspace.ts';

export interface FileReaders {
  workspace: Pick<Workspace, 'files'>;
  policy: FilePolicy;
  texts: FileTexts;
}

export interface ToolDependencies extends FileReaders {
  workspace: Workspace;
  search: FileSearch;
  newErrors: NewErrors;
  /** A command's output by its `read_file` path; undefined for other paths. */
  commandOutput?(path: string): Promise<string | undefined>;
}
