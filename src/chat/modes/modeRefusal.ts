import { updatePlanName } from '../../tools/plan/planSteps.ts';
import type { ToolRisk } from '../../tools/tool.ts';
import type { Mode } from './mode.ts';

export function modeRefusal(mode: Mode, tool: { name: string; risk: ToolRisk }): string | undefined {
  const way = `The user can choose another mode with the button "Mode: ${mode.name}" below the message box.`;
  if (mode.id === 'ask' && tool.name === updatePlanName)
    return `Not run: in the mode "${mode.name}" nothing is carried out, so there is no plan to keep. Go on without it.`;
  if (mode.isReadOnly && tool.risk !== 'read') {
    const why = mode.isMissing ? 'the file that describes it cannot be read, so' : 'in it';
    return `Not run: the mode "${mode.name}" is on, and ${why} only tools that read are run; ${tool.name} can change things. Nothing was changed. Go on without it, or tell the user what is to be done. ${way}`;
  }
  if (mode.tools && !mode.tools.has(tool.name)) {
    return `Not run: ${tool.name} is none of the tools of the mode "${mode.name}". Nothing was changed. Go on without it. ${way}`;
  }
  return undefined;
}
