import type { ChatDependencies, ChatOptions } from '../chatDependencies.ts';
import type { ContextKnowledge } from '../context/contextKnowledge.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { AnswerItem } from '../conversation/items.ts';
import type { Permissions } from '../calls/grants.ts';
import type { TurnLog } from './turnLog.ts';

export interface TurnDependencies extends ChatDependencies {
  knowledge: ContextKnowledge;
}

export interface ChatTurn {
  model: string;
  continues?: AnswerItem | undefined;
  conversation: Conversation;
  deps: TurnDependencies;
  /** Settings merged with the conversation's parameters, read again for every request. */
  options(): ChatOptions;
  permissions(): Permissions;
  steering: {
    /** True if a message must be read by the model before anything else happens. */
    isWaiting(): boolean;
    add(): boolean;
  };
  log: TurnLog;
}
