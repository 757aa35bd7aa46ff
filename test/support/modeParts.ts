import type { ChatController } from '../../src/chat/chatController.ts';
import type { Mode } from '../../src/chat/modes/mode.ts';
import { ProjectModes } from '../../src/chat/modes/projectModes.ts';
import { ModelList } from '../../src/chat/modelList.ts';
import { ModeController } from '../../src/panel/modeController.ts';

/** The panel's half of modes, over what a project describes. */
export function modeParts(chat: ChatController, described: readonly Mode[] = []): ModeController {
  return new ModeController(
    chat,
    new ProjectModes(
      () => 'agent',
      async () => described,
    ),
    new ModelList({ listModels: async () => [], merge: (listed) => listed }),
    () => ({ dispose() {} }),
  );
}
