import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import type { Mode } from '../modes/mode.ts';
import { listField, readProjectFiles, textField, toolsField, type ProjectFile } from './projectFiles.ts';

/**
 * The modes that the project describes: custom agents, and chat modes, as they were called before.
 * @param knownTools names of all tools that there are
 */
export async function readAgents(deps: ToolDependencies, knownTools: readonly string[]): Promise<Mode[]> {
  const files = [
    ...(await readProjectFiles(deps, '.github/agents', ['.agent.md', '.md'])),
    ...(await readProjectFiles(deps, '.github/chatmodes', ['.chatmode.md'])),
  ];
  return files.filter(isForUsers).map((file) => toMode(file, knownTools));
}

/** Some are for other agents to call, or for a service. */
function isForUsers(file: ProjectFile): boolean {
  return textField(file, 'user-invokable') !== 'false' && textField(file, 'target') !== 'github-copilot';
}

function toMode(file: ProjectFile, knownTools: readonly string[]): Mode {
  const description = textField(file, 'description');
  const models = listField(file, 'model');
  const instructions = file.body.trim();
  return {
    id: file.path,
    name: textField(file, 'name') ?? file.name,
    isReadOnly: false,
    ...(description && { description }),
    ...toolsField(file, knownTools),
    ...(instructions && { instructions }),
    ...(models && models.length > 0 && { models }),
  };
}
