import { appIdOf } from '../../apps/appModelId.ts';
import type { AppliedEdit } from '../../tools/edits/editJournal.ts';
import type { SignedReasoning, Usage } from '../../relay/messages.ts';
import type { AppPart } from '../apps/appPart.ts';
import type { Attachment, AttachmentSource } from '../attachments/attachment.ts';
import type { Call } from '../calls/call.ts';
import type {
  AnswerEnd,
  AnswerPicture,
  NoticeKind,
  ReviewedFile,
  SearchOutcome,
  ToolOutcome,
  ToolState,
  UndoProblem,
} from '../store/events.ts';
import type { SentInstructions } from '../instructions/sentInstructions.ts';

export interface UserItem {
  type: 'user';
  id: string;
  text: string;
  attachments?: readonly Attachment[];
  sources?: readonly AttachmentSource[];
  context?: MessageContext;
  tools?: readonly string[];
  mode?: ToldMode;
}

export interface MessageContext {
  text: string;
  at: number;
  knowledge?: readonly string[];
}

export interface InstructionsRead {
  files: readonly SentInstructions[];
  off: readonly string[];
  /** True after a summary: rereading the files costs no cached prompt. */
  isStale: boolean;
}

export interface ToldMode {
  id: string;
  name: string;
  text: string;
  isRepeated?: true;
}

export interface PromptChoices {
  tools?: readonly string[];
  modeId?: string;
  modelId?: string;
}

export interface OutgoingMessage extends PromptChoices {
  text: string;
  typed?: string;
  attachments?: readonly Attachment[];
  sources?: readonly AttachmentSource[];
  steers?: true;
}

export interface QueuedMessage extends OutgoingMessage {
  id: string;
}

export interface RequestUsage {
  usage: Usage;
  isSummary?: true;
}

export interface AnswerItem {
  type: 'answer';
  id: string;
  model: string;
  text: string;
  reasoning: string;
  /** Absent while it reasons, and in conversations of 0.2.0. */
  reasoningMs?: number;
  signedReasoning?: readonly SignedReasoning[];
  pictures?: readonly AnswerPicture[];
  end?: AnswerEnd;
  requests?: RequestUsage[];
  app?: AppPart;
}

/** A call of the preceding answer; without an outcome it is running, or was lost in a crash. */
export interface ToolItem extends Call {
  type: 'tool';
  state?: ToolState;
  outcome?: ToolOutcome;
  /** A command that ran in this window: its start in epoch ms, and its newest lines. Not stored. */
  live?: { sinceMs: number; lines: string };
}

export interface NoticeItem {
  type: 'notice';
  id: string;
  kind: NoticeKind;
  detail?: string;
}

export interface SearchItem {
  type: 'search';
  id: string;
  outcome: SearchOutcome;
}

export interface EditsItem {
  type: 'edits';
  id: string;
  edits: AppliedEdit[];
  folders?: readonly string[];
  reviews?: Readonly<Record<string, EditReview>>;
  /** Paths of files that others reverted, so that no change is left. Not stored: they can change again. */
  reverted?: ReadonlySet<string>;
  restoredBy?: Readonly<Record<string, RestorationItem>>;
}

export interface EditReview extends Pick<ReviewedFile, 'open' | 'problem' | 'redo'> {
  undone?: { added: number; removed: number };
  wasKept: boolean;
  wasUndone: boolean;
  isDone: boolean;
}

export interface RestorationItem {
  type: 'restoration';
  id: string;
  toId: string;
  isConversation: boolean;
  edits?: readonly AppliedEdit[];
  folders?: readonly string[];
  problems: readonly RestoreProblem[];
  isTakenBack: boolean;
  /** It took another one back. */
  isUndo: boolean;
}

export interface RestoreProblem extends UndoProblem {
  path: string;
}

/** Start of the kept part of the conversation; earlier items are sent as this text or omitted. */
export interface SummaryItem {
  type: 'summary';
  id: string;
  text?: string;
  problem?: string;
}

export type ChatItem =
  | RestorationItem
  | EditsItem
  | UserItem
  | AnswerItem
  | ToolItem
  | NoticeItem
  | SearchItem
  | SummaryItem;

export function canContinue({ model, text, end }: AnswerItem): boolean {
  // The platform can't continue an answer.
  if (!end || !text.trim() || appIdOf(model) !== undefined) return false;
  switch (end.reason) {
    case 'length':
    case 'stopped':
    case 'failed':
    case 'interrupted':
      return true;
    case 'answered':
    case 'called':
    case 'filtered':
      return false;
  }
}
