import type { Event } from '../../base/emitter.ts';
import type { RetryScheduled } from '../../base/retryScheduled.ts';
import type { AnswerEnd, AskedCall, ToolOutcome } from '../events.ts';
import type { AppParameters, AppStep, OutputFile, Rating } from '../../apps/app.ts';
import type { QuietState } from './appEvents.ts';
import type { FormAnswers } from '../../apps/appForm.ts';
import type { LocalChoice } from '../../apps/fileChoice.ts';

/** An app of the platform that conversations can be held with. */
export interface ChatAppEntry {
  id: string;
  name: string;
  /** In words, in the user's language. */
  kind: string;
  /** Its platform's. */
  address: string;
}

/** The user's apps that chat. Met by the host. */
export interface ChatApps {
  readonly all: readonly ChatAppEntry[];
  /** After every change of the list. */
  readonly onDidChange: Event<void>;
  /** Loads the code for apps with the first call. Throws a `SwitchboardError` without the app or its key. */
  open(appId: string): Promise<ChatApp>;
  /** What was filled into its form last; empty if nothing was. */
  lastAnswers(appId: string): FormAnswers;
  /** Files are not remembered. */
  rememberAnswers(appId: string, answers: FormAnswers): Promise<void>;
  /** The chat in which this conversation of the platform was begun here, if it was. */
  chatOf(appId: string, conversationId: string): string | undefined;
  setChatOf(appId: string, conversationId: string, chatId: string): void;
}

/** One app. Every method throws a `SwitchboardError`. */
export interface ChatApp {
  /** What the platform says of it; asked once, unless that failed. */
  parameters(signal: AbortSignal): Promise<AppParameters>;
  /** Runs a turn. Aborting also ends the run on the platform. Never throws: the last event says how it ended. */
  ask(question: AppQuestion, signal: AbortSignal): AsyncIterable<AppTurnEvent>;
  /** Questions to go on with; empty where the app has none. */
  suggestions(messageId: string, signal: AbortSignal): Promise<string[]>;
  /** Undefined takes the rating back. */
  rate(messageId: string, rating: Rating | undefined, signal: AbortSignal): Promise<void>;
  /** One page of what the platform keeps, oldest first; `before` is the id of the first message of the page after it. */
  messages(
    conversationId: string,
    before: string | undefined,
    signal: AbortSignal,
  ): Promise<{ messages: KeptMessage[]; hasMore: boolean }>;
}

export interface AppQuestion {
  /** Stands where a model's id does. */
  model: string;
  query: string;
  /** Uploaded before the question is sent. */
  files: readonly LocalChoice[];
  /** Goes on with a conversation; absent begins one. */
  conversationId?: string;
  /** What the form was filled in with, for a conversation that begins. */
  answers?: FormAnswers;
  /** What a conversation that goes on has sent with each message; absent while that is not known here. */
  inputs?: Readonly<Record<string, unknown>>;
  /** Called with what is to be sent with every message from now on, before it is sent the first time. */
  keepInputs(inputs: Readonly<Record<string, unknown>>): void;
  newId(): string;
  /** Milliseconds. */
  now(): number;
  /** A file is being sent to the platform. */
  onUploading(name: string): void;
}

/** What happens in a turn with an app: what also happens in one with a model, and what only apps have. */
export type AppTurnEvent =
  | { type: 'requestSent' }
  | RetryScheduled
  /** The platform keeps the connection open and has sent nothing else for so long. */
  | { type: 'quiet'; state: QuietState; forMs: number }
  | { type: 'answerStarted'; id: string; model: string }
  | { type: 'textAdded' | 'reasoningAdded' | 'textReplaced'; id: string; text: string }
  | { type: 'toolsCalled'; id: string; calls: AskedCall[] }
  | { type: 'toolStateChanged'; id: string; state: 'running' }
  | { type: 'toolFinished'; id: string; outcome: ToolOutcome }
  | { type: 'answerEnded'; id: string; end: AnswerEnd }
  /** Always last, always once. */
  | { type: 'turnEnded'; end: AnswerEnd }
  /** How the platform names this turn. */
  | { type: 'platformNamed'; id: string; conversationId?: string; messageId?: string }
  /** A step of a flow; the same one comes again as it goes on. */
  | { type: 'stepChanged'; id: string; step: AppStep }
  | { type: 'segmentsFound'; id: string; segments: readonly AppSegment[] }
  | { type: 'fileGiven'; id: string; file: OutputFile }
  /** The run goes on when a person has done something on the platform. */
  | { type: 'personNeeded'; id: string; reasons: readonly string[] };

/** A segment that grounded an answer of an app. */
export interface AppSegment {
  datasetId: string;
  datasetName: string;
  documentId: string;
  documentName: string;
  segmentId: string;
  score?: number;
  content: string;
}

/** A question with its answer, as the platform keeps it. */
export interface KeptMessage {
  id: string;
  query: string;
  answer: string;
  reasoning: string;
  rating?: Rating;
  segments: readonly AppSegment[];
  /** What an agent used on the way. */
  calls: readonly { name: string; arguments: string; observation: string }[];
  /** What the user sent along. */
  attached: readonly { name: string; bytes?: number }[];
  files: readonly OutputFile[];
  error?: string;
}

const prefix = 'app:';

/** What stands for an app where a model's id does. */
export function appModelId(appId: string): string {
  return prefix + appId;
}

/** The app that a model's id stands for, if it is one. */
export function appIdOf(modelId: string): string | undefined {
  return modelId.startsWith(prefix) ? modelId.slice(prefix.length) : undefined;
}
