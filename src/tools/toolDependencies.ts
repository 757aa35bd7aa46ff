import type { FilePolicy } from './filePolicy.ts';
import type { FileTexts } from './fileText.ts';
import type { FileSearch } from './search/fileSearch.ts';
import type { Workspace } from './workspace.ts';

/** What the tools are built from. */
export interface ToolDependencies {
  workspace: Workspace;
  policy: FilePolicy;
  texts: FileTexts;
  search: FileSearch;
}
