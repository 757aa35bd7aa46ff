import { oneLine } from '../../base/text/oneLine.ts';
import * as l10n from '@vscode/l10n';
import type { FileReaders } from '../../tools/toolDependencies.ts';
import { type Handoff, shownName, type Mode } from '../modes/mode.ts';
import { listField, shownField, textField } from '../../base/text/frontMatter.ts';
import { readProjectFiles, toolsField, type ProjectFile } from './projectFiles.ts';

/** Custom agents, and chat modes (their former name). */
export async function readAgents(
  ofProject: FileReaders,
  ofUser: FileReaders,
  knownTools: readonly string[],
): Promise<Mode[]> {
  const files = [
    ...(await readProjectFiles(ofProject, '.github/agents', ['.agent.md', '.md'])),
    ...(await readProjectFiles(ofProject, '.claude/agents', ['.md'])),
    ...(await readProjectFiles(ofProject, '.github/chatmodes', ['.chatmode.md'])),
    ...(await readProjectFiles(ofUser, '', ['.agent.md', '.md'])),
  ];
  return files.filter(isForUsers).map((file) => toMode(file, knownTools));
}

const mostHandoffs = 10;

/** Unsupported fields that change an agent's behaviour elsewhere, so the user is warned. */
const unreadFields = ['agents', 'mcp-servers'];

function isForUsers(file: ProjectFile): boolean {
  // The second is the field's former name.
  const isHidden = ['user-invocable', 'user-invokable'].some((name) => textField(file, name) === 'false');
  return !isHidden && textField(file, 'target') !== 'github-copilot';
}

function toMode(file: ProjectFile, knownTools: readonly string[]): Mode {
  const description = shownField(file, 'description');
  const projectName = textField(file, 'name') ?? file.name;
  const models = listField(file, 'model');
  const instructions = file.body.trim();
  const handoffs = handoffsOf(file);
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
    ...(handoffs.length > 0 && { handoffs }),
  };
}

function handoffsOf({ rows }: ProjectFile): Handoff[] {
  return (rows['handoffs'] ?? []).slice(0, mostHandoffs).flatMap(({ label, agent, prompt, send }) => {
    const shown = label && oneLine(label);
    return shown && agent ? [{ label: shown, agent, prompt: prompt ?? '', sends: send === 'true' }] : [];
  });
}
