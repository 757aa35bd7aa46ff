import type { ChatController } from '../chat/chatController.ts';
import type { UserItem } from '../chat/items.ts';
import type { NavigationCommand } from '../shared/navigation.ts';
import type { PostToPage } from '../shared/protocol.ts';

/** An item of a conversation, and a text that was found in it. */
export interface FoundPlace {
  chatId: string;
  id: string;
  text: string;
}

/** Finds what the page asks for in the whole conversation. */
export class NavigationController {
  private newestSearch = 0;

  constructor(
    private readonly chat: ChatController,
    private readonly post: PostToPage,
  ) {}

  /** Brings an item into view, with the text marked where that can be found in the panel. */
  async reveal({ chatId, id, text }: FoundPlace): Promise<void> {
    const { isFoundIn } = await import('./findText.ts');
    const index = this.items.findIndex((item) => item.id === id);
    const item = this.items[index];
    if (!item || this.chat.conversation.id !== chatId) return;
    const isMarked = isFoundIn(item, text);
    this.post(isMarked ? { type: 'findOpened', query: text, id } : { type: 'messageFound', index, id });
  }

  /** Rejects when the conversation cannot be read. */
  async onMessage(command: NavigationCommand): Promise<void> {
    switch (command.type) {
      case 'findText': {
        const search = ++this.newestSearch;
        await this.chat.loadEarlier();
        const { findText } = await import('./findText.ts');
        const found = await findText(this.items, command, () => search === this.newestSearch);
        if (found) this.post(found);
        return;
      }
      case 'findMessage': {
        const { direction } = command;
        await this.chat.loadEarlier();
        const step = direction === 'next' ? 1 : -1;
        let index = command.from + step;
        while (this.items[index] && this.items[index]!.type !== 'user') index += step;
        const item = this.items[index];
        if (item) this.post({ type: 'messageFound', index, id: item.id });
        return;
      }
      case 'recallMessage': {
        const { back } = command;
        const messages = this.items.filter((item): item is UserItem => item.type === 'user');
        const message = messages.filter(({ text }) => text.trim() !== '').at(-1 - back);
        if (message && back >= 0) this.post({ type: 'messageRecalled', back, text: message.text });
      }
    }
  }

  private get items() {
    return this.chat.conversation.all;
  }
}
