import type { ChatController } from '../../src/chat/chatController.ts';
import type { Mode } from '../../src/chat/modes/mode.ts';
import { ProjectModes } from '../../src/chat/modes/projectModes.ts';
import { ModelCatalog } from '../../src/chat/modelCatalog.ts';
import { ModeController } from '../../src/panel/modeController.ts';

/** The panel's half of modes, over what a project describes. */
export function modeParts(chat: ChatController, described: readonly Mode[] = []): ModeController {
  return new ModeController(
    chat,
    new ProjectModes(
      () => 'agent',
      async () => described,
    ),
    new ModelCatalog({ listModels: async () => [], merge: (listed) => listed }),
    () => ({ dispose() {} }),
  );
}
