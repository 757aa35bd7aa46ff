import { createFileTool } from './files/createFileTool.ts';
import { editFileTool } from './edits/editFileTool.ts';
import { FilePolicy } from './policy/filePolicy.ts';
import { FileTexts } from './files/fileTexts.ts';
import { findReferencesTool } from './editor/findReferencesTool.ts';
import { findSymbolsTool } from './editor/findSymbolsTool.ts';
import { getChangesTool } from './editor/getChangesTool.ts';
import { getDiagnosticsTool } from './editor/getDiagnosticsTool.ts';
import { getOpenEditorsTool } from './editor/getOpenEditorsTool.ts';
import { getWorkflowStateTool, runWorkflowTool, type WorkflowAccess } from './flows/workflowTools.ts';
import { listFilesTool } from './files/listFilesTool.ts';
import { NewErrors } from './edits/newErrors.ts';
import { readFileTool } from './files/readFileTool.ts';
import { FileSearch, type SearchOptions } from './search/fileSearch.ts';
import { searchTextTool } from './search/searchTextTool.ts';
import type { Tool } from './tool.ts';
import type { ToolDependencies } from './toolDependencies.ts';
import { updatePlanTool } from './plan/updatePlanTool.ts';
import type { Workspace } from './files/workspace.ts';

/** Collaborators of the workspace tools; all readers of files share the `policy`. */
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

export function flowTools(access: WorkflowAccess): Tool[] {
  return [getWorkflowStateTool(access), runWorkflowTool(access)];
}

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
