import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { basename, dirname, extname } from 'node:path/posix';
import { redactSecrets } from '../../base/secrets/redactSecrets.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { PromptHost } from '../../panel/promptController.ts';
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

/** Variables of prompt files: only files that models may read, with secrets redacted. Unknown names are dropped. */
async function editorVariables(
  { policy, workspace }: WorkspaceTools['dependencies'],
  names: readonly string[],
): Promise<Record<string, string | undefined>> {
  const active = workspace.editors.open().find(({ isActive }) => isActive);
  const verdict = active && (await policy.check(active.path, 'read'));
  const path = verdict?.isAllowed ? verdict.shown : undefined;
  const selection =
    path === undefined ? undefined : active?.selection && redactSecrets(active.selection.text);
  const folder = workspace.files.folders()[0];
  const known: Record<string, string | undefined> = {
    workspaceFolder: folder?.path,
    workspaceFolderBasename: folder?.name,
    file: path,
    fileBasename: path && basename(path),
    fileDirname: path && dirname(path),
    fileBasenameNoExtension: path && basename(path, extname(path)),
    selection,
    selectedText: selection,
  };
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(known, name)).map((name) => [name, known[name]]),
  );
}
