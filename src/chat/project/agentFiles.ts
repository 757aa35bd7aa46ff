import * as l10n from '@vscode/l10n';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { shownName, type Mode } from '../modes/mode.ts';
import {
  listField,
  readProjectFiles,
  shownField,
  textField,
  toolsField,
  type ProjectFile,
} from './projectFiles.ts';

/** Custom agents, and chat modes (their former name). */
export async function readAgents(deps: ToolDependencies, knownTools: readonly string[]): Promise<Mode[]> {
  const files = [
    ...(await readProjectFiles(deps, '.github/agents', ['.agent.md', '.md'])),
    ...(await readProjectFiles(deps, '.github/chatmodes', ['.chatmode.md'])),
  ];
  return files.filter(isForUsers).map((file) => toMode(file, knownTools));
}

/** Unsupported fields that change an agent's behaviour elsewhere, so the user is warned. */
const unreadFields = ['agents', 'handoffs', 'mcp-servers'];

function isForUsers(file: ProjectFile): boolean {
  return textField(file, 'user-invokable') !== 'false' && textField(file, 'target') !== 'github-copilot';
}

function toMode(file: ProjectFile, knownTools: readonly string[]): Mode {
  const description = shownField(file, 'description');
  const projectName = textField(file, 'name') ?? file.name;
  const models = listField(file, 'model');
  const instructions = file.body.trim();
  const { tools, problem } = toolsField(file, knownTools);
  const unread = unreadFields.filter((name) => Object.hasOwn(file.fields, name));
  const problems = [problem, unread.length > 0 && l10n.t('Not supported: {0}', unread.join(', '))]
    .filter(Boolean)
    .join('. ');
  return {
    id: file.path,
    name: shownName(projectName, file.path),
    projectName,
    isReadOnly: false,
    ...(description && { description }),
    ...(tools && { tools }),
    ...(problems && { problem: problems }),
    ...(instructions && { instructions }),
    ...(models && models.length > 0 && { models }),
  };
}
