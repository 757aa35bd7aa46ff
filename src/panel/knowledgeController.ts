import { assertNever } from '../base/assertNever.ts';
import { citedSource } from '../chat/grounding/answerSources.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { KnowledgeBase, Source } from '../chat/events.ts';
import type { Knowledge, KnowledgeCommand } from '../shared/knowledge.ts';
import type { PostToPage } from '../shared/protocol.ts';

/** What grounding needs of the editor. */
export interface KnowledgeHost {
  /** Whether there is a platform to choose from. */
  readonly isConnected: boolean;
  /** Lets the user choose, after connecting a platform where there is none. Undefined leaves it as it is. */
  choose(chosen: readonly KnowledgeBase[]): Promise<readonly KnowledgeBase[] | undefined>;
  /** Opens the file it came from at its lines, or else the segment as a document of its own. */
  openSource(source: Source): void;
  /** Adds a file of this workspace, or updates it. */
  addToKnowledgeBase(path: string): void;
}

/** The panel's half of grounding: which knowledge bases are chosen, and what can be done with sources. */
export class KnowledgeController {
  private post: PostToPage = () => {};

  constructor(
    private readonly chat: ChatController,
    private readonly host: KnowledgeHost,
  ) {}

  /** Who hears of changes from now on. */
  listen(post: PostToPage): void {
    this.post = post;
  }

  state(): Knowledge {
    const { bases } = this.chat.conversation;
    return { isConnected: this.host.isConnected, chosen: bases.map(({ id, name }) => ({ id, name })) };
  }

  /** Also when a platform was connected or is gone. */
  show(): void {
    this.post({ type: 'knowledgeChanged', knowledge: this.state() });
  }

  onMessage(command: KnowledgeCommand): void {
    const { chat, host } = this;
    switch (command.type) {
      case 'chooseKnowledge':
        return void this.choose();
      case 'removeKnowledge':
        return chat.chooseKnowledge(chat.conversation.bases.filter(({ id }) => id !== command.id));
      case 'openSource': {
        const source = this.find(command);
        if (source) host.openSource(source);
        return;
      }
      case 'addSource': {
        const path = this.find(command)?.origin?.path;
        if (path !== undefined) host.addToKnowledgeBase(path);
        return;
      }
      default:
        return assertNever(command);
    }
  }

  private async choose(): Promise<void> {
    const { chat, host } = this;
    const { conversation } = chat;
    const chosen = await host.choose(conversation.bases);
    // Another chat may have been opened meanwhile, for which nothing was chosen.
    if (chosen && chat.conversation === conversation) chat.chooseKnowledge(chosen);
  }

  private find({ id, n }: { id: string; n: number }): Source | undefined {
    return citedSource(this.chat.conversation.sourcesOf(id), n);
  }
}
