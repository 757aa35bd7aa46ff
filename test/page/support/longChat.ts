// A page's conversation of thousands of turns, with the host's part of it.
import { ChatController } from '../../../src/chat/chatController.ts';
import type { ChatEvent } from '../../../src/chat/store/events.ts';
import { NavigationController } from '../../../src/panel/navigationController.ts';
import { ShownTranscript } from '../../../src/panel/present/shownTranscript.ts';
import type { ToHost, ToPage } from '../../../src/shared/protocol.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { longConversation } from '../../support/longConversation.ts';
import type { PanelPage } from './panelPage.ts';
import { panelState } from './states.ts';
import { handleCommand } from '../../../src/panel/commandHandlers.ts';

const words = 'The tide turns at the harbour wall and the ferry waits for it. ';

const answerOf = (turn: number) =>
  `Answer **${turn}**. ${words.repeat(1 + ((turn * 7) % 9))}` +
  (turn % 5 === 0 ? `\n\n\`\`\`ts\nconst berth${turn} = ${turn};\n\`\`\`` : '');

export class LongChat {
  readonly conversation;
  private readonly transcript: ShownTranscript;
  private readonly navigation: NavigationController;
  private posted: ToPage[] = [];

  constructor(turns: number, answer = answerOf) {
    const conversation = longConversation(turns, answer);
    this.conversation = conversation;
    const chat = new ChatController(chatDependencies({}));
    Object.defineProperty(chat.shown, 'conversation', { value: conversation });
    this.navigation = new NavigationController(chat, (message) => this.posted.push(message));
    this.transcript = new ShownTranscript({
      chat,
      post: (message) => this.posted.push(message),
      replaceAll: () => {
        throw new Error('Nothing is replaced.');
      },
      nameOf: () => 'Claude Sonnet 5',
      questionOf: () => undefined,
    });
  }

  async answer(message: ToHost): Promise<ToPage[]> {
    if (message.type === 'loadEntries') await this.transcript.load(message);
    else if (
      message.type === 'findText' ||
      message.type === 'findMessage' ||
      message.type === 'recallMessage'
    )
      await handleCommand(this.navigation.commands, message);
    return this.posted.splice(0);
  }

  state(position?: { chatId: string; id: string }) {
    const { id: chatId } = this.conversation;
    return panelState({ chatId, ...this.transcript.begin(position) });
  }

  /** @param mayLoad holds back the entries that the page asks for */
  async show(panel: PanelPage, mayLoad?: Promise<void>): Promise<void> {
    await panel.serve(async (message) => {
      if (message.type === 'loadEntries') await mayLoad;
      return this.answer(message);
    });
    await panel.say({ type: 'stateReplaced', state: this.state() });
  }

  async apply(panel: PanelPage, event: ChatEvent): Promise<void> {
    this.conversation.apply(event);
    this.transcript.onChange(event);
    await panel.say(...this.posted.splice(0));
  }
}
