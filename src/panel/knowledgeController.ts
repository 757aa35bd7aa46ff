import { lazy } from '../base/async/lazy.ts';
import { citedSource } from '../chat/grounding/answerSources.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { KnowledgeBase, Source } from '../chat/store/events.ts';
import type { Knowledge, KnowledgeCommand } from '../shared/knowledge.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { CommandHandlers } from './commandHandlers.ts';
import type { SourceWatch } from './present/sourceWatch.ts';

export interface KnowledgeHost {
  readonly isConnected: boolean;
  choose(chosen: readonly KnowledgeBase[]): Promise<readonly KnowledgeBase[] | undefined>;
  openSource(source: Source): void;
  addToKnowledgeBase(path: string, datasetId?: string): void;
  compareSource(source: Source): void;
  watchSources(chat: ChatController, post: PostToPage): Promise<SourceWatch>;
}

export class KnowledgeController {
  private post: PostToPage = () => {};
  private readonly sources = lazy(() => this.host.watchSources(this.chat, (message) => this.post(message)));
  private hasSources = false;

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

  pageClosed(): void {
    if (this.hasSources) void this.sources().then((sources) => sources.dispose());
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
      const source = this.find(command);
      if (source?.origin) this.host.addToKnowledgeBase(source.origin.path);
    },
    updateSource: (command) => {
      const source = this.find(command);
      if (source?.origin) this.host.addToKnowledgeBase(source.origin.path, source.datasetId);
    },
    compareSource: (command) => {
      const source = this.find(command);
      if (source) this.host.compareSource(source);
    },
    showSources: async ({ ids }) => {
      this.hasSources = true;
      await (await this.sources()).show(ids);
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
