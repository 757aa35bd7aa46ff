import type { ChatController } from '../../src/chat/chatController.ts';
import type { Mode } from '../../src/chat/modes/mode.ts';
import { ProjectModes } from '../../src/chat/modes/projectModes.ts';
import { RelayCatalog } from '../../src/chat/models/relayCatalog.ts';
import { ModeController, type PermissionHost } from '../../src/panel/modeController.ts';

export function modeParts(
  chat: ChatController,
  described: readonly Mode[] = [],
  host: Partial<PermissionHost> = {},
): ModeController {
  return new ModeController(
    chat,
    new ProjectModes(
      () => 'agent',
      async () => described,
    ),
    new RelayCatalog({ listModels: async () => [], merge: (listed) => listed }),
    {
      ...{ actingTools: () => [], ruleFor: () => undefined, onDidChange: () => ({ dispose() {} }) },
      ...host,
    },
  );
}
