import { createToolDependencies, workspaceTools } from '../../src/tools/allTools.ts';
import { searchKnowledgeTool } from '../../src/tools/knowledge/searchKnowledgeTool.ts';
import { readSkillTool } from '../../src/tools/skills/readSkillTool.ts';
import type { Skill } from '../../src/tools/skills/skills.ts';
import { ToolSet, type ToolSetDefinition } from '../../src/tools/toolSet.ts';
import { commandToolUnderTest } from './commandParts.ts';
import { filesOfUser } from '../../src/tools/files/filesOfUser.ts';
import { MemoryWorkspace } from './memoryWorkspace.ts';

/** Definitions of all our tools, as in a window with a folder, a platform and skills. */
export function ownDefinitions(skills = usualSkills(25)): readonly ToolSetDefinition[] {
  const deps = createToolDependencies(new MemoryWorkspace(), {
    ...{ workerFile: '', ripgrep: undefined, timeoutMs: 1 },
  });
  const search = async () => ({ segments: [], failures: [] });
  const grounding = searchKnowledgeTool({ chosen: () => [], search, numberOf: () => 1 });
  return new ToolSet([...workspaceTools(deps), commandToolUnderTest(deps), grounding, readSkillTool(skills)!])
    .definitions;
}

/** With descriptions as long as they often are. */
export function usualSkills(count: number): Skill[] {
  const readers = filesOfUser({ workspace: new MemoryWorkspace() }, {});
  return Array.from({ length: count }, (_, n) => ({
    ...{
      name: `release-notes-${n}`,
      folder: `.agents/skills/release-notes-${n}`,
      path: `/s/${n}`,
      body: '',
      readers,
    },
    description:
      'Writes release notes from merged pull requests, in the style of the project. Use it when the user asks for a ' +
      'changelog, release notes or a summary of what is new.',
    ...{ isForUsers: true, isForModels: true },
  }));
}
