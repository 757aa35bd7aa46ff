import type { ChatController } from '../../src/chat/chatController.ts';
import type { KnowledgeBase, Source } from '../../src/chat/events.ts';
import { KnowledgeController, type KnowledgeHost } from '../../src/panel/knowledgeController.ts';

/** A desk over a host that chooses what it is told to, and what it was asked for. */
export function knowledgeParts(chat: ChatController): {
  desk: KnowledgeController;
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
  return { desk: new KnowledgeController(chat, host), host, opened, added };
}
