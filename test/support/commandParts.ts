import { Commands, type CommandsDependencies } from '../../src/tools/command/commands.ts';
import { runCommandTool, type CommandConsent } from '../../src/tools/command/runCommand.ts';
import type { Tool, ToolRule } from '../../src/tools/tool.ts';
import type { ToolDependencies } from '../../src/tools/toolDependencies.ts';

/** Commands that nobody looks at. */
export function commandsUnderTest(deps: Partial<CommandsDependencies> = {}): Commands {
  return new Commands({
    view: () => ({ show() {}, end() {}, reveal() {} }),
    env: () => process.env,
    secrets: async () => [],
    outputFolder: '/nowhere',
    ...deps,
  });
}

/** What a user lets commands do, with what was remembered. */
export function commandConsent(
  rules: Record<string, ToolRule> = {},
): CommandConsent & { remembered: string[] } {
  const remembered: string[] = [];
  return { rules: () => rules, remembered, remember: (beginnings) => void remembered.push(...beginnings) };
}

/** `run_command` over the given parts. */
export function commandToolUnderTest(
  { policy }: Pick<ToolDependencies, 'policy'>,
  commands = commandsUnderTest(),
  consent: CommandConsent = commandConsent(),
  platform: NodeJS.Platform = 'linux',
): Tool {
  return runCommandTool({ policy, commands, consent, platform, shell: 'bash' });
}
