import type { ChatController } from '../../src/chat/chatController.ts';
import type { KnowledgeBase, Source } from '../../src/chat/store/events.ts';
import { KnowledgeController, type KnowledgeHost } from '../../src/panel/knowledgeController.ts';

export function knowledgeParts(chat: ChatController): {
  controller: KnowledgeController;
  host: { isConnected: boolean; choice: readonly KnowledgeBase[] | undefined };
  opened: Source[];
  added: string[];
} {
  const opened: Source[] = [];
  const added: string[] = [];
  const host: KnowledgeHost & { isConnected: boolean; choice: readonly KnowledgeBase[] | undefined } = {
    isConnected: true,
    choice: undefined,
    choose: async () => host.choice,
    openSource: (source) => void opened.push(source),
    addToKnowledgeBase: (path) => void added.push(path),
  };
  return { controller: new KnowledgeController(chat, host), host, opened, added };
}
