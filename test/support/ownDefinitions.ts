import { createToolDependencies, workspaceTools } from '../../src/tools/allTools.ts';
import { searchKnowledgeTool } from '../../src/tools/knowledge/searchKnowledgeTool.ts';
import { ToolSet, type ToolSetDefinition } from '../../src/tools/toolSet.ts';
import { commandToolUnderTest } from './commandParts.ts';
import { MemoryWorkspace } from './memoryWorkspace.ts';

/** Definitions of all our tools, as in a window with a folder and a platform. */
export function ownDefinitions(): readonly ToolSetDefinition[] {
  const deps = createToolDependencies(new MemoryWorkspace(), {
    ...{ workerFile: '', ripgrep: undefined, timeoutMs: 1 },
  });
  const search = async () => ({ segments: [], failures: [] });
  const grounding = searchKnowledgeTool({ chosen: () => [], search, numberOf: () => 1 });
  return new ToolSet([...workspaceTools(deps), commandToolUnderTest(deps), grounding]).definitions;
}
