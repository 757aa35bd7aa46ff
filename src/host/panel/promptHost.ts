import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatController } from '../../chat/chatController.ts';
import type { PromptHost } from '../../panel/promptController.ts';
import { editorVariables } from '../../chat/project/editorVariables.ts';
import type { ToolSwitches } from '../tools/toolSwitches.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';

export function createPromptHost(
  tools: () => Promise<WorkspaceTools>,
  switches: ToolSwitches,
  chat: ChatController,
): PromptHost {
  return {
    prompts: async () => (await tools()).prompts(switches.known()),
    async skills() {
      const skills = await (await tools()).skills();
      return skills
        .filter(({ isForUsers }) => isForUsers)
        .map((skill) => ({
          ...skill,
          async text() {
            const { skillText } = await import('../../tools/skills/readSkillTool.ts');
            return skillText(skill);
          },
        }));
    },
    async questionFor(request) {
      const { questionFor } = await import('../code/codeQuestion.ts');
      return questionFor(request);
    },
    async run(action) {
      if (action !== 'compactConversation') return vscode.commands.executeCommand(`switchboard.${action}`);
      const compacting = chat.shown.compact();
      if (!compacting)
        throw new Error(l10n.t("There is nothing to compact yet, or an answer isn't finished."));
      return compacting;
    },
    editorVariables: async (names) => editorVariables((await tools()).dependencies, names),
    async fill(title, inputs) {
      const values: Record<string, string> = {};
      for (const [index, { name, placeholder }] of inputs.entries()) {
        const value = await vscode.window.showInputBox({
          title: inputs.length > 1 ? `${title} (${index + 1}/${inputs.length})` : title,
          prompt: name,
          ...(placeholder && { placeHolder: placeholder }),
          ignoreFocusOut: true,
        });
        if (value === undefined) return undefined;
        values[name] = value;
      }
      return values;
    },
  };
}
