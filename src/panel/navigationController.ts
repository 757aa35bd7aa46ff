import type { ChatController } from '../chat/chatController.ts';
import type { UserItem } from '../chat/conversation/items.ts';
import type { FindText, NavigationCommand } from '../shared/navigation.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { CommandHandlers } from './commandHandlers.ts';

export interface FoundPlace {
  chatId: string;
  id: string;
  text: string;
}

export class NavigationController {
  private newestSearch = 0;

  constructor(
    private readonly chat: ChatController,
    private readonly post: PostToPage,
  ) {}

  async reveal({ chatId, id, text }: FoundPlace): Promise<void> {
    const { isFoundIn } = await import('./findText.ts');
    const index = this.items.findIndex((item) => item.id === id);
    const item = this.items[index];
    if (!item || this.chat.shown.conversation.id !== chatId) return;
    const isMarked = isFoundIn(item, text);
    this.post(isMarked ? { type: 'findOpened', query: text, id } : { type: 'messageFound', index, id });
  }

  readonly commands: CommandHandlers<NavigationCommand> = {
    findText: (command) => this.findText(command),
    findMessage: (command) => this.findMessage(command),
    recallMessage: ({ back }) => this.recallMessage(back),
  };

  private async findText(command: FindText): Promise<void> {
    const search = ++this.newestSearch;
    await this.chat.shown.loadEarlier();
    const { findText } = await import('./findText.ts');
    const found = await findText(this.items, command, () => search === this.newestSearch);
    if (found) this.post(found);
  }

  private async findMessage({ from, direction }: Extract<NavigationCommand, { type: 'findMessage' }>) {
    await this.chat.shown.loadEarlier();
    const step = direction === 'next' ? 1 : -1;
    let index = from + step;
    while (this.items[index] && this.items[index]!.type !== 'user') index += step;
    // The outermost message is reached itself: it may be in view without having the focus.
    if (!this.items[index]) index = from;
    const item = this.items[index];
    if (item?.type === 'user') this.post({ type: 'messageFound', index, id: item.id });
  }

  private recallMessage(back: number): void {
    const messages = this.items.filter((item): item is UserItem => item.type === 'user');
    const message = messages.filter(({ text }) => text.trim() !== '').at(-1 - back);
    if (message && back >= 0) this.post({ type: 'messageRecalled', back, text: message.text });
  }

  private get items() {
    return this.chat.shown.conversation.all;
  }
}
