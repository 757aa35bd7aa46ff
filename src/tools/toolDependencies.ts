import type { FilePolicy } from './filePolicy.ts';
import type { FileTexts } from './fileText.ts';
import type { NewErrors } from './newErrors.ts';
import type { FileSearch } from './search/fileSearch.ts';
import type { Workspace } from './workspace.ts';

/** What the tools are built from. */
export interface ToolDependencies {
  workspace: Workspace;
  policy: FilePolicy;
  texts: FileTexts;
  search: FileSearch;
  newErrors: NewErrors;
  /** What a command printed that a path of `read_file` names; undefined if it names none. */
  commandOutput?(path: string): Promise<string | undefined>;
}
