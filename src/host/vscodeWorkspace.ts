import type { Workspace } from '../tools/workspace.ts';
import { editors } from './workspaceEditors.ts';
import { edits } from './workspaceEdits.ts';
import { createFiles, type PolicyGlobs } from './workspaceFiles.ts';
import { sourceControl } from './workspaceGit.ts';
import { languages } from './workspaceLanguages.ts';

/** The editor as the tools need it. */
export function createVscodeWorkspace(globs: () => PolicyGlobs): Workspace {
  return { files: createFiles(globs), editors, languages, sourceControl, edits };
}
