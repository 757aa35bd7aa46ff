import type { Workspace } from '../tools/workspace.ts';
import { editors } from './workspaceEditors.ts';
import { edits } from './workspaceEdits.ts';
import { createFiles } from './workspaceFiles.ts';
import { sourceControl } from './workspaceGit.ts';
import { languages } from './workspaceLanguages.ts';

/**
 * The editor as the tools need it.
 * @param toolsExclude the globs of `switchboard.tools.exclude`
 */
export function createVscodeWorkspace(toolsExclude: () => readonly string[]): Workspace {
  return { files: createFiles(toolsExclude), editors, languages, sourceControl, edits };
}
