import { Emitter } from '../../src/base/emitter.ts';
import type { ChatController } from '../../src/chat/chatController.ts';
import {
  UnseenTurns,
  type UnseenRecord,
  type Sight,
  type Sights,
} from '../../src/chat/session/unseenTurns.ts';

/** What was not seen of these conversations, while the panel and the window are as the test says. */
export function unseenParts(
  chat: ChatController,
  memory: { unseenTurns: UnseenRecord } = { unseenTurns: {} },
) {
  const changes = new Emitter<void>();
  let shown: Sight = 'seen';
  const sights: Sights = {
    of: (id) => (id === chat.shown.conversation.id ? shown : 'hidden'),
    onDidChange: changes.event,
  };
  chat.onDidChange(({ type }) => type === 'chatOpened' && changes.fire());
  return {
    ...{ memory, sights, unseen: new UnseenTurns(chat, sights, memory) },
    /** The panel is hidden or shown, or the window left. */
    look(now: Sight) {
      shown = now;
      changes.fire();
    },
  };
}
