import * as vscode from 'vscode';
import { localDate } from '../../base/text/formatTime.ts';
import { InstructionFiles } from '../../chat/instructions/instructionFiles.ts';
import { editorFacts, type Machine } from '../../chat/prompt/editorFacts.ts';
import type { PromptSource } from '../../chat/prompt/promptSource.ts';
import { systemText } from '../../chat/prompt/systemText.ts';
import type { Memory } from '../../settings/memory.ts';
import type { Settings } from '../settings.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';

export function createPrompt(
  tools: Pick<WorkspaceTools, 'dependencies'>,
  memory: Pick<Memory, 'instructionsOff' | 'isActiveEditorOff'>,
  settings: Settings,
): PromptSource {
  const files = new InstructionFiles(tools.dependencies);
  return {
    systemText,
    instructions: {
      ofWorkspace: () => files.ofWorkspace(),
      of: (paths) => files.of(paths),
      off: () => memory.instructionsOff,
    },
    facts: (seen) =>
      editorFacts(
        tools.dependencies,
        machine(),
        seen,
        !memory.isActiveEditorOff && settings.get('chat.activeEditor') !== 'never',
      ),
  };
}

/** The extension host's machine, where files are and commands run. */
function machine(): Machine {
  const shell = vscode.env.shell.replace(/^.*[/\\]/, '').replace(/\.exe$/i, '');
  return {
    date: localDate(new Date()),
    system: systems[process.platform] ?? process.platform,
    shell: shell || undefined,
  };
}

const systems: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
};
