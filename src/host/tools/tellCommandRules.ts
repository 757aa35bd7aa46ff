import * as l10n from '@vscode/l10n';
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { visibleText } from '../../base/text/visibleText.ts';
import type { Memory } from '../../settings/memory.ts';
import type { ToolRule } from '../../tools/tool.ts';
import { canRunCommands, type ToolSwitches } from './toolSwitches.ts';
import type { Notifications } from '../ui/notifications.ts';

/** Converts rules for command prefixes, saved up to 0.2.0, to rules for whole lines, and explains the change once. */
export async function tellCommandRules(
  notifications: Notifications,
  memory: Memory,
  switches: ToolSwitches,
  settings: Readonly<Record<string, ToolRule>>,
): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!canRunCommands() || folder?.uri.scheme !== 'file') return;
  const remembered = memory.takeAllowedCommands();
  const where = remembered.length > 0 ? await realpath(folder.uri.fsPath) : '';
  for (const line of remembered) switches.allowCommand({ line, folder: where });
  const written = Object.keys(settings).filter(
    (line) => settings[line] === 'allow' && !line.endsWith(' *') && !memory.wasToldOfLines,
  );
  memory.wasToldOfLines = true;
  const rules = [...new Set([...remembered, ...written])].map((line) => `"${visibleText(line)}"`);
  if (rules.length === 0) return;
  const openSettings = l10n.t('Open Settings');
  const answer = await notifications.information(
    l10n.t(
      'Command rules now match the whole line. These rules no longer allow commands that only start with them: {0}. To allow those, end the rule with " *".',
      rules.join(', '),
    ),
    ...(written.length > 0 ? [openSettings] : []),
  );
  if (answer === openSettings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'switchboard.tools.commands');
  }
}
