import { createFileTool } from './createFile.ts';
import { editFileTool } from './editFile.ts';
import { FilePolicy } from './filePolicy.ts';
import { FileTexts } from './fileText.ts';
import { findReferencesTool } from './findReferences.ts';
import { findSymbolsTool } from './findSymbols.ts';
import { getChangesTool } from './getChanges.ts';
import { getDiagnosticsTool } from './getDiagnostics.ts';
import { getOpenEditorsTool } from './getOpenEditors.ts';
import { listFilesTool } from './listFiles.ts';
import { NewErrors } from './newErrors.ts';
import { readFileTool } from './readFile.ts';
import { FileSearch, type SearchOptions } from './search/fileSearch.ts';
import { searchTextTool } from './searchText.ts';
import type { Tool } from './tool.ts';
import type { ToolDependencies } from './toolDependencies.ts';
import { updatePlanTool } from './updatePlan.ts';
import type { Workspace } from './workspace.ts';

/** The parts the workspace tools stand on; `policy` is to be shared with all that reads files. */
export function createToolDependencies(
  workspace: Workspace,
  search: SearchOptions,
  commandOutput?: ToolDependencies['commandOutput'],
): ToolDependencies {
  const policy = new FilePolicy(workspace.files);
  const texts = new FileTexts(workspace, policy);
  return {
    workspace,
    policy,
    texts,
    search: new FileSearch(workspace, policy, texts, search),
    newErrors: new NewErrors(workspace.languages),
    ...(commandOutput && { commandOutput }),
  };
}

/** The workspace tools, in the order models see them. */
export function workspaceTools(deps: ToolDependencies): Tool[] {
  return [
    readFileTool(deps),
    listFilesTool(deps),
    searchTextTool(deps),
    findSymbolsTool(deps),
    findReferencesTool(deps),
    getDiagnosticsTool(deps),
    getChangesTool(deps),
    getOpenEditorsTool(deps),
    editFileTool(deps),
    createFileTool(deps),
    updatePlanTool(),
  ];
}
