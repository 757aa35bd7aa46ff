import type { AppliedEdit } from '../tools/editJournal.ts';
import type { SignedReasoning, Usage } from '../relay/messages.ts';
import type { AppPart } from './apps/appPart.ts';
import type { Attachment, AttachmentSource } from './attachments/attachment.ts';
import type { Call } from './calls/call.ts';
import type {
  AnswerEnd,
  NoticeKind,
  ReviewedFile,
  SearchOutcome,
  ToolOutcome,
  ToolState,
  UndoProblem,
} from './events.ts';
import type { SentInstructions } from './instructions/sentInstructions.ts';
import type { MessageContext } from './prompt/messageContext.ts';

export interface UserItem {
  type: 'user';
  id: string;
  text: string;
  attachments?: readonly Attachment[];
  /** Of the attachments, in their order; absent in conversations of 0.1.0. */
  sources?: readonly AttachmentSource[];
  /** What models are sent before it. */
  context?: MessageContext;
  /** The only tools that run for it. */
  tools?: readonly string[];
  /** The mode it is answered in, where the model was told of one. */
  mode?: ToldMode;
}

/** The instruction files in the system text. */
export interface InstructionsRead {
  files: readonly SentInstructions[];
  /** Paths of files that were switched off then. */
  off: readonly string[];
  /** The conversation was summarised since: nothing is lost by reading them again. */
  isStale: boolean;
}

/** A mode with what the model was told of it. */
export interface ToldMode {
  id: string;
  name: string;
  text: string;
  /** The text only refers to one that was told before. */
  isRepeated?: true;
}

/** What a prompt file of the project chose for the message that it became. */
export interface PromptChoices {
  /** The only tools that run for it. */
  tools?: readonly string[];
  modeId?: string;
  modelId?: string;
}

/** A message that waits: for the running call, or for the turns before it. */
export interface QueuedMessage extends PromptChoices {
  id: string;
  text: string;
  attachments?: readonly Attachment[];
  /** Of the attachments, in their order. */
  sources?: readonly AttachmentSource[];
  /** It was written for the turn that ran then. */
  steers?: true;
  /** What the user wrote, where a prompt file became the text. */
  typed?: string;
}

/** What a request cost. */
export interface RequestUsage {
  usage: Usage;
  /** It had the conversation summarised, for the answer to fit. */
  isSummary?: true;
}

export interface AnswerItem {
  type: 'answer';
  id: string;
  model: string;
  text: string;
  reasoning: string;
  /** The same as its vendor signed it. */
  signedReasoning?: readonly SignedReasoning[];
  end?: AnswerEnd;
  /** What each request for it cost, as far as that was told. */
  requests?: RequestUsage[];
  /** Where an app gave it. */
  app?: AppPart;
}

/** A call of the answer before it; without an outcome it still runs, or was left behind by a crash. */
export interface ToolItem extends Call {
  type: 'tool';
  /** Undefined before its turn has come. */
  state?: ToolState;
  outcome?: ToolOutcome;
}

export interface NoticeItem {
  type: 'notice';
  id: string;
  kind: NoticeKind;
  detail?: string;
}

/** A search of the chosen knowledge bases for the message of the user before it. */
export interface SearchItem {
  type: 'search';
  id: string;
  outcome: SearchOutcome;
}

/** The files a turn changed. */
export interface EditsItem {
  type: 'edits';
  id: string;
  edits: AppliedEdit[];
  /** Folders that were made for new files. */
  folders?: readonly string[];
  /** By path, of the files that the user decided on. */
  reviews?: Readonly<Record<string, EditReview>>;
  /** By path, of the files that were restored, what restored them last. */
  restoredBy?: Readonly<Record<string, RestorationItem>>;
}

/** What the user decided on the changes of a file, and what is left of them. */
export interface EditReview extends Pick<ReviewedFile, 'open' | 'problem'> {
  /** Lines that came and went with all hunks that were put back. */
  undone?: { added: number; removed: number };
  wasKept: boolean;
  wasUndone: boolean;
  /** Nothing is left. */
  isDone: boolean;
}

/** Files, the conversation or both were put back to what they were before something else. */
export interface RestorationItem {
  type: 'restoration';
  id: string;
  /** A message or an answer, or the restoration that was taken back. */
  toId: string;
  isConversation: boolean;
  /** Undefined where files were not to be restored. */
  edits?: readonly AppliedEdit[];
  folders?: readonly string[];
  problems: readonly RestoreProblem[];
  /** Another restoration took it back. */
  isTakenBack: boolean;
}

/** A file in which not all could be restored, and why. */
export interface RestoreProblem extends UndoProblem {
  path: string;
}

/** Stands where the kept part of the conversation begins; what is above it is sent as this text, or not at all. */
export interface SummaryItem {
  type: 'summary';
  id: string;
  text?: string;
  problem?: string;
}

/** What a conversation is made of. */
export type ChatItem =
  | RestorationItem
  | EditsItem
  | UserItem
  | AnswerItem
  | ToolItem
  | NoticeItem
  | SearchItem
  | SummaryItem;
