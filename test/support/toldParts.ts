import type { ChatController } from '../../src/chat/chatController.ts';
import { Emitter } from '../../src/base/emitter.ts';
import type { AttachmentSource } from '../../src/chat/attachments/attachment.ts';
import type { RequestText } from '../../src/chat/prompt/describeRequest.ts';
import { ToldController, type ActiveEditor, type ToldHost } from '../../src/panel/toldController.ts';

export function toldParts(chat: ChatController) {
  const changes = new Emitter<void>();
  const editor: { active?: ActiveEditor; sources: AttachmentSource[] } = { sources: [] };
  const shown: string[] = [];
  const requests: RequestText[] = [];
  const host: ToldHost = {
    activeEditor: () => editor.active,
    isActiveEditorOn: true,
    instructionsOff: [],
    onDidChangeActiveEditor: changes.event,
    attachActiveEditor: () => shown.push('attached'),
    sourcesToAttach: () => editor.sources,
    showRequest: async (request) => void requests.push(request),
  };
  return { changes, controller: new ToldController(chat, host), editor, host, requests, shown };
}
