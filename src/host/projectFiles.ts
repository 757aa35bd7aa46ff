import type { Mode } from '../chat/modes/mode.ts';
import { readAgents } from '../chat/project/agentFiles.ts';
import { ownToolNames } from '../tools/ownTools.ts';
import type { ToolSwitches } from './toolSwitches.ts';
import type { WorkspaceTools } from './workspaceTools.ts';

/** The modes that this workspace describes. */
export function readProjectAgents({ needs }: WorkspaceTools, switches: ToolSwitches): Promise<Mode[]> {
  return readAgents(needs, knownTools(switches));
}

/** Also those that are off: a file of the project names what there is, the user what is on. */
export function knownTools(switches: ToolSwitches): string[] {
  return [...ownToolNames, ...switches.others().map(({ name }) => name)];
}
