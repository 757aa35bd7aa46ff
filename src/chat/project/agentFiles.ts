import * as l10n from '@vscode/l10n';
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

/** What others make of these changes how an agent works, so it is said that nothing does here. */
const unreadFields = ['agents', 'handoffs', 'mcp-servers'];

/** Some are for other agents to call, or for a service. */
function isForUsers(file: ProjectFile): boolean {
  return textField(file, 'user-invokable') !== 'false' && textField(file, 'target') !== 'github-copilot';
}

function toMode(file: ProjectFile, knownTools: readonly string[]): Mode {
  const description = textField(file, 'description');
  const models = listField(file, 'model');
  const instructions = file.body.trim();
  const { tools, problem } = toolsField(file, knownTools);
  const unread = unreadFields.filter((name) => Object.hasOwn(file.fields, name));
  const problems = [problem, unread.length > 0 && l10n.t('Not supported: {0}', unread.join(', '))]
    .filter(Boolean)
    .join('. ');
  return {
    id: file.path,
    name: textField(file, 'name') ?? file.name,
    isReadOnly: false,
    ...(description && { description }),
    ...(tools && { tools }),
    ...(problems && { problem: problems }),
    ...(instructions && { instructions }),
    ...(models && models.length > 0 && { models }),
  };
}
