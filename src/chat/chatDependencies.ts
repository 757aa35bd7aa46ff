import type { StreamModel } from '../relay/messages.ts';
import type { AppliedEdit, TextSnapshots } from '../tools/editJournal.ts';
import type { SearchSegments } from '../tools/knowledge/searchBases.ts';
import type { AppService } from '../apps/appService.ts';
import type { ConversationLinks } from './apps/appConversations.ts';
import type { ChatStore } from './chatStore.ts';
import type { ModelLimits, WindowMemory } from './context/contextWindows.ts';
import type { RequestOptions } from './modelAsker.ts';
import type { PromptSource } from './prompt/promptSource.ts';
import type { ToolBox, TurnParts } from './calls/toolBox.ts';
import type { Modes } from './modes/mode.ts';
import type { ToolCallers } from './turn.ts';

/** The settings of a request, read again for every turn. */
export interface ChatOptions extends RequestOptions {
  /** How often a model may call tools before the user is asked. */
  maxToolRounds: number;
}

/** What the open chat needs of everything around it. */
export interface ChatDependencies {
  store: ChatStore;
  /** The relay to ask; throws a `SwitchboardError` when none is connected. */
  relay(): Promise<StreamModel>;
  options(): ChatOptions;
  /** What settings and the relay's list say of a model. */
  modelLimits(modelId: string): ModelLimits & { toolCalling?: boolean };
  /** Windows that the relay in use named in refusals. */
  windows: WindowMemory;
  /** Models that the relay in use was seen to call tools with. */
  toolCallers: ToolCallers;
  modes: Modes;
  /** The tools of a turn; loaded when the first turn begins. */
  tools(turn: TurnParts): Promise<ToolBox>;
  /** What models are told beside the conversation; loaded when the first turn begins. */
  prompt(): Promise<PromptSource>;
  /** Whether a platform is connected, so that knowledge bases can be chosen. */
  hasPlatform(): boolean;
  /** Searches knowledge bases of the connected platform. */
  searchSegments: SearchSegments;
  /** The user's apps, which answer in a model's place. */
  apps: Pick<AppService, 'find' | 'open'>;
  /** In which chat a conversation that the platform keeps is here. */
  conversationLinks: ConversationLinks;
  /** Where the texts are kept that a conversation's tools find in files and leave in them. */
  snapshots(conversationId: string): Promise<TextSnapshots>;
  /** Whether anything of an edit that was begun is in its file; true where nobody can tell. Never rejects. */
  wasMade(conversationId: string, edit: AppliedEdit): Promise<boolean>;
  /** The model a chat uses that has none of its own yet. */
  defaultModel(): string | undefined;
  newId(): string;
  now(): number;
}
