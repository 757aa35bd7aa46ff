import { citedSource } from '../chat/grounding/answerSources.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { KnowledgeBase, Source } from '../chat/store/events.ts';
import type { Knowledge, KnowledgeCommand } from '../shared/knowledge.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { CommandHandlers } from './commandHandlers.ts';

export interface KnowledgeHost {
  readonly isConnected: boolean;
  /** Lets the user choose, connecting a platform first if needed. Undefined when dismissed. */
  choose(chosen: readonly KnowledgeBase[]): Promise<readonly KnowledgeBase[] | undefined>;
  /** Opens the source's file at its lines, else the segment as its own document. */
  openSource(source: Source): void;
  addToKnowledgeBase(path: string): void;
}

export class KnowledgeController {
  private post: PostToPage = () => {};

  constructor(
    private readonly chat: ChatController,
    private readonly host: KnowledgeHost,
  ) {}

  listen(post: PostToPage): void {
    this.post = post;
  }

  state(): Knowledge {
    const { bases } = this.chat.shown.conversation;
    return { isConnected: this.host.isConnected, chosen: bases.map(({ id, name }) => ({ id, name })) };
  }

  show(): void {
    this.post({ type: 'knowledgeChanged', knowledge: this.state() });
  }

  readonly commands: CommandHandlers<KnowledgeCommand> = {
    chooseKnowledge: () => this.choose(),
    removeKnowledge: ({ id }) =>
      this.chat.shown.choices.chooseKnowledge(
        this.chat.shown.conversation.bases.filter((base) => base.id !== id),
      ),
    openSource: (command) => {
      const source = this.find(command);
      if (source) this.host.openSource(source);
    },
    addSource: (command) => {
      const path = this.find(command)?.origin?.path;
      if (path !== undefined) this.host.addToKnowledgeBase(path);
    },
  };

  private async choose(): Promise<void> {
    const { chat, host } = this;
    const { conversation } = chat.shown;
    const chosen = await host.choose(conversation.bases);
    // Another chat may have been opened meanwhile.
    if (chosen && chat.shown.conversation === conversation) chat.shown.choices.chooseKnowledge(chosen);
  }

  private find({ id, n }: { id: string; n: number }): Source | undefined {
    return citedSource(this.chat.shown.conversation.sourcesOf(id), n);
  }
}
