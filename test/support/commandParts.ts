import { Commands, type CommandsDependencies } from '../../src/tools/command/commands.ts';
import {
  runCommandTool,
  type CommandConsent,
  type CommandRule,
} from '../../src/tools/command/runCommandTool.ts';
import type { Tool, ToolRule } from '../../src/tools/tool.ts';
import type { ToolDependencies } from '../../src/tools/toolDependencies.ts';

export function commandsUnderTest(deps: Partial<CommandsDependencies> = {}): Commands {
  return new Commands({
    view: () => ({ show() {}, end() {}, reveal: () => true }),
    env: () => process.env,
    secrets: async () => [],
    outputFolder: '/nowhere',
    ...deps,
  });
}

export function commandConsent(
  rules: Record<string, ToolRule> = {},
): CommandConsent & { remembered: CommandRule[] } {
  const remembered: CommandRule[] = [];
  return { rules: () => rules, remembered, remember: (rule) => void remembered.push(rule) };
}

export function commandToolUnderTest(
  { policy, workspace: { files } }: Pick<ToolDependencies, 'policy' | 'workspace'>,
  commands = commandsUnderTest(),
  consent: CommandConsent = commandConsent(),
  platform: NodeJS.Platform = 'linux',
): Tool {
  return runCommandTool({ policy, files, commands, consent, platform, shell: 'bash' });
}
