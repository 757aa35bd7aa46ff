import type { FilePicture } from '../base/files/pictureFiles.ts';
import type { AppliedEdit, TextSnapshots } from '../tools/edits/editJournal.ts';
import type { SearchSegments } from '../tools/knowledge/searchBases.ts';
import type { AppService } from '../apps/appService.ts';
import type { ChatStore } from './store/chatStore.ts';
import type { ModelLimits, WindowMemory } from './context/contextWindows.ts';
import type { ReasoningEffort } from '../relay/parameters.ts';
import type { SearchMode } from './grounding/grounding.ts';
import type { PromptSource } from './prompt/promptSource.ts';
import type { ToolBox, TurnParts } from './calls/toolBox.ts';
import type { Modes } from './modes/mode.ts';
import type { AskModel } from '../relay/streamModel.ts';

export interface ChatOptions {
  instructions: string;
  knowledgeSearch: SearchMode;
  stream: boolean;
  temperature?: number;
  maxTokens?: number;
  reasoningEffort?: ReasoningEffort;
  maxToolRounds: number;
  /** Models tried in this order if the chosen one fails before anything is shown. */
  fallbackModels: readonly string[];
}

export interface ModelSet {
  has(model: string): boolean;
  add(model: string): void;
}

export interface ConversationLinks {
  get(appId: string, conversationId: string): string | undefined;
  set(appId: string, conversationId: string, chatId: string): void;
}

export interface ChatDependencies {
  store: ChatStore;
  /** Rejects with a `SwitchboardError` if no relay is connected. */
  ask: AskModel;
  options(): ChatOptions;
  modelLimits(modelId: string): ModelLimits;
  /** Context windows that the current relay named in refusals. */
  windows: WindowMemory;
  toolCallers: ModelSet;
  refusesTools: ModelSet;
  modes: Modes;
  tools(turn: TurnParts): Promise<ToolBox>;
  prompt(): Promise<PromptSource>;
  hasPlatform(): boolean;
  searchSegments: SearchSegments;
  apps: Pick<AppService, 'find' | 'open'>;
  conversationLinks: ConversationLinks;
  snapshots(conversationId: string): Promise<TextSnapshots>;
  keepPicture(conversationId: string, picture: FilePicture): Promise<string>;
  /** A started edit if any of it is in its file, or if that is unknown. Never rejects. */
  findMade(conversationId: string, edit: AppliedEdit): Promise<AppliedEdit | undefined>;
  /** @param shown model of the conversation that was shown before */
  defaultModel(shown?: string): string | undefined;
  newId(): string;
  now(): number;
}
