import type { UploadFile } from '../platformClient.ts';
import type {
  AppConversation,
  AppEvent,
  AppInfo,
  AppMessage,
  AppParameters,
  AppRun,
  AppVariable,
  FileReference,
  FileType,
  Rating,
} from './appRecords.ts';

/**
 * One app of the platform, known by its own key. Every method throws a `SwitchboardError`. Answers are read as they
 * come; nothing is sent a second time once an event arrived.
 */
export interface AppClient {
  info(signal: AbortSignal): Promise<AppInfo>;
  parameters(signal: AbortSignal): Promise<AppParameters>;
  /** Icons of tools by name: an address, or an emoji with its background. */
  meta(
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string | { content: string; background: string }>>>;

  /** E2. Chat apps, agents and chatflows. */
  chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<AppEvent>;
  complete(request: RunRequest, signal: AbortSignal): AsyncIterable<AppEvent>;
  runWorkflow(request: RunRequest, signal: AbortSignal): AsyncIterable<AppEvent>;
  /** Takes up the stream of a workflow that still runs. */
  reattach(runId: string, signal: AbortSignal): AsyncIterable<AppEvent>;
  /** Asks the server to end a task. Closing the connection alone does not. */
  stop(what: 'chat' | 'completion' | 'workflow', taskId: string, signal: AbortSignal): Promise<void>;
  workflowRun(runId: string, signal: AbortSignal): Promise<AppRun>;
  workflowLogs(page: number, signal: AbortSignal): Promise<{ runs: AppRun[]; hasMore: boolean }>;

  upload(
    file: UploadFile,
    signal: AbortSignal,
    onProgress?: (sentBytes: number) => void,
  ): Promise<{ uploadFileId: string; type: FileType; name: string; size: number }>;

  /** Newest first; `after` is the last id of the page before. */
  conversations(
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<{ conversations: AppConversation[]; hasMore: boolean }>;
  /** Without a name the platform makes one up. */
  renameConversation(id: string, name: string | undefined, signal: AbortSignal): Promise<AppConversation>;
  deleteConversation(id: string, signal: AbortSignal): Promise<void>;
  variables(conversationId: string, signal: AbortSignal): Promise<AppVariable[]>;
  setVariable(conversationId: string, variableId: string, value: unknown, signal: AbortSignal): Promise<void>;
  /** One page, oldest first; `before` is the first id of the page that was read. */
  messages(
    conversationId: string,
    before: string | undefined,
    signal: AbortSignal,
  ): Promise<{ messages: AppMessage[]; hasMore: boolean }>;
  /** Empty where the app has that switched off. */
  suggestedQuestions(messageId: string, signal: AbortSignal): Promise<string[]>;
  /** Undefined takes the rating back. */
  rate(
    messageId: string,
    rating: Rating | undefined,
    content: string | undefined,
    signal: AbortSignal,
  ): Promise<void>;
  feedbacks(
    page: number,
    signal: AbortSignal,
  ): Promise<{ messageId?: string; rating?: Rating; content?: string }[]>;
}

export interface RunRequest {
  inputs: Readonly<Record<string, unknown>>;
  files?: readonly FileReference[];
  /** Not streamed: the spec's `sync`. */
  stream: boolean;
}

export interface ChatRequest extends RunRequest {
  query: string;
  /** Goes on with a conversation; absent begins one. */
  conversationId?: string;
}
