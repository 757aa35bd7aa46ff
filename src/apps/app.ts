import * as z from 'zod/mini';
import type { RetryScheduled } from '../base/retryScheduled.ts';
import type { FileType } from '../platform/fileTypes.ts';

/**
 * What an app of the platform is and gives, in our words. Declared here and nowhere else: the client reads it,
 * conversations keep it, the editor and the page show it. What is stored or sent to the page is a schema.
 * Source: platform-api.md 3 to 6.
 */

/** `agent` covers the platform's `agent-chat` and its newer `agent`; `unknown` is a mode of a newer server, or of one too old to tell. */
export const appKinds = ['chat', 'agent', 'chatflow', 'completion', 'workflow', 'unknown'] as const;
export type AppKind = (typeof appKinds)[number];

export interface AppInfo {
  name: string;
  description: string;
  kind: AppKind;
  tags: readonly string[];
  author?: string;
  /** As its site has it; absent where nobody asked. */
  look?: AppLook;
}

/** A colour as sites write it. */
export const colorPattern = /^#[0-9a-fA-F]{6}$/;

/** What stands for an app beside its name: an emoji, a picture, or nothing. */
export const appLookSchema = z.object({
  /** An emoji. */
  icon: z.optional(z.string()),
  /** Of the emoji, `#rrggbb`. */
  iconBackground: z.optional(z.string().check(z.regex(colorPattern))),
  /** The platform's id of a picture, and the file that it is kept in. */
  picture: z.optional(
    z.object({ id: z.string(), file: z.string().check(z.regex(/^[0-9a-f]{32}\.(png|jpg|gif|webp)$/)) }),
  ),
});
export type AppLook = z.infer<typeof appLookSchema>;

/** How the platform's own pages present an app. */
export interface AppSite {
  title: string;
  description: string;
  /** An emoji. */
  icon?: string;
  iconBackground?: string;
  /** Where a picture is, with what the platform knows it by: the address is another each time. */
  picture?: { id: string; address: string };
  /** BCP 47, as a rule. */
  language?: string;
  copyright?: string;
  privacyPolicy?: string;
  disclaimer?: string;
}

export interface AppParameters {
  openingStatement: string;
  suggestedQuestions: readonly string[];
  /** Whether questions to go on with can be asked for after an answer. */
  suggestsAfterAnswer: boolean;
  /** It writes down what is said in a recording. */
  transcribes?: true;
  /** It reads its answers out. */
  speaks?: true;
  form: readonly FormField[];
  files: FileRules;
}

/** What the page shows of a field of the form; what is in it comes beside. */
export const shownFieldSchema = z.object({
  /** The key in `inputs`. */
  variable: z.string(),
  label: z.string(),
  /** A kind that is not known is asked as `text`. */
  type: z.enum(['text', 'paragraph', 'number', 'select', 'checkbox', 'json', 'file', 'file-list']),
  isRequired: z.boolean(),
  /** Of a select. */
  options: z.optional(z.array(z.string())),
});

/** A field of the form that is to be filled in before the first message, or for a run. */
export interface FormField extends z.infer<typeof shownFieldSchema> {
  /** Of texts, in characters. */
  maxLength?: number;
  /** Of the field's type; of JSON, as text. */
  default?: string | number | boolean;
  /** Of `file` and `file-list`. */
  files?: AcceptedFiles;
}

/** Which files a field of the form, or a message, accepts. */
export interface AcceptedFiles {
  /** `image`, `document`, `audio`, `video`, `custom`; where there are none, every type. */
  types: readonly string[];
  /** With a dot. Beside named types, they say what `custom` stands for. */
  extensions: readonly string[];
  methods: readonly FileMethod[];
  maxFiles?: number;
}

/** A file of the user's, or an address that the platform fetches. */
export const fileMethodSchema = z.enum(['local_file', 'remote_url']);
export type FileMethod = z.infer<typeof fileMethodSchema>;

/** What may be attached to a message, and how large. */
export interface FileRules extends AcceptedFiles {
  isEnabled: boolean;
  maxFiles: number;
  /** Bytes, by type; also for the files of the form. */
  maxBytes: MaxBytes;
}

export type MaxBytes = Readonly<Record<FileType, number>>;

/** A file as requests name it. */
export type FileReference =
  | { type: FileType; method: 'local_file'; uploadFileId: string }
  | { type: FileType; method: 'remote_url'; url: string };

/** A file that an answer or an output holds. */
export interface AppFile {
  id?: string;
  /** What the platform calls it, or the end of its address; may be empty. */
  name: string;
  mimeType?: string;
  /** Absent for one that cannot be opened. */
  address?: string;
  size?: number;
}

/** A file that an app gave and that can be opened. */
export const outputFileSchema = z.object({ name: z.string(), address: z.string() });
export type OutputFile = z.infer<typeof outputFileSchema>;

/** One thing that happens while an app answers or runs, in the order it came. */
export type AppEvent =
  /** The request is out, or was once more after a pause. */
  | { type: 'requestSent' }
  /** It was refused for now, before anything came, and is tried again by itself. */
  | RetryScheduled
  /**
   * Nothing but signs of life came for a while, which the platform sends whatever its worker does. `notStarted`: nothing
   * came at all, although such a run announces its start.
   */
  | { type: 'stalled'; state: StallState; forMs: number }
  /** Ids as soon as they are known; said again when more become known. */
  | { type: 'started'; taskId?: string; messageId?: string; conversationId?: string; runId?: string }
  | { type: 'textAdded'; text: string }
  /** All that was said so far is this instead. */
  | { type: 'textReplaced'; text: string }
  | { type: 'reasoningAdded'; text: string }
  /** The same `id` comes again with more in it. */
  | { type: 'thoughtChanged'; thought: AppThought }
  /** The same `id` comes again as the step goes on; of a loop, with the number of the round. */
  | { type: 'stepChanged'; step: AppStep }
  | { type: 'fileAdded'; file: AppFile }
  | { type: 'sourcesFound'; sources: readonly AppSource[] }
  /** The run waits for human input on the platform. */
  | { type: 'paused'; reasons: readonly string[]; forms?: readonly PausedForm[] }
  /** It got that, or the time for it ran out. */
  | { type: 'resumed' }
  /** Also of a failed run, before its error is thrown. */
  | { type: 'runFinished'; run: AppRun }
  /** Always last, always once, unless an error was thrown. */
  | { type: 'ended'; usage?: AppUsage; files: readonly AppFile[] };

/** A form that a run waits for and that can be filled in with the app's key. */
export interface PausedForm {
  /** What names it in requests; opens this form alone. */
  token: string;
  /** The step that waits; may be empty. */
  title: string;
}

/**
 * Where the input comes from that a run waits for: a form that can be filled in `here`, something on the `platform`, or
 * a form that was `submitted` here, after which nobody listened to the run any more.
 */
export const inputPlaceSchema = z.enum(['here', 'platform', 'submitted']);
export type InputPlace = z.infer<typeof inputPlaceSchema>;

/** What a run waits for, as it is asked. */
export interface HumanInputForm {
  /** Markdown. */
  content: string;
  fields: readonly FormField[];
  /** The ways that the run can go on. */
  actions: readonly { id: string; title: string }[];
  /** Unix milliseconds; after it nothing can be submitted. */
  expiresAtMs?: number;
}

/** What it means that nothing but pings comes: the run did not start, gave no answer yet, or gives nothing more for now. */
export const stallStateSchema = z.enum(['notStarted', 'noAnswer', 'noNews']);
export type StallState = z.infer<typeof stallStateSchema>;

export interface AppThought {
  id: string;
  position: number;
  /** Text that agents mostly also say in their answer. */
  thought: string;
  tool?: string;
  toolLabel?: string;
  /** JSON text, as the model wrote it. */
  toolInput?: string;
  observation?: string;
}

/** A step of a flow, as far as it has come: one execution of a node of the platform, iterations and loops included. */
export const appStepSchema = z.object({
  /** Of this execution. */
  id: z.string(),
  title: z.string(),
  /** The platform's word for what the step is: `llm`, `knowledge-retrieval`, `iteration`. */
  kind: z.string(),
  status: z.enum(['running', 'succeeded', 'failed', 'stopped', 'paused', 'retrying', 'unknown']),
  error: z.optional(z.string()),
  elapsedMs: z.optional(z.number()),
  tokens: z.optional(z.number()),
  /** Of an iteration or a loop, 1 for the first. */
  round: z.optional(z.number()),
  /** How often it was tried again, if it was. */
  retries: z.optional(z.number()),
  /** Of what an agent does within a step: 1, or more for what belongs to another of these. */
  depth: z.optional(z.number()),
  /** What an agent thought, called or found there: text, or JSON. */
  detail: z.optional(z.string()),
});
export type AppStep = z.infer<typeof appStepSchema>;

export interface AppRun {
  id?: string;
  /** The version of the flow that ran; not known of an entry of the log. */
  workflowId?: string;
  status: 'running' | 'succeeded' | 'partly-succeeded' | 'failed' | 'stopped' | 'paused' | 'unknown';
  /** Known of a run that was looked up. */
  inputs?: Readonly<Record<string, unknown>>;
  outputs: Readonly<Record<string, unknown>>;
  error?: string;
  elapsedMs?: number;
  tokens?: number;
  stepCount?: number;
  /** Unix milliseconds. */
  createdAtMs?: number;
}

export interface AppUsage {
  promptTokens?: number;
  completionTokens?: number;
  totalTokens?: number;
  /** A decimal number as text. */
  price?: string;
  currency?: string;
}

export interface AppSource {
  position?: number;
  datasetId?: string;
  datasetName?: string;
  documentId?: string;
  documentName?: string;
  segmentId?: string;
  score?: number;
  content?: string;
}

export interface AppConversation {
  id: string;
  name: string;
  inputs: Readonly<Record<string, unknown>>;
  createdAtMs?: number;
  updatedAtMs?: number;
}

export interface AppMessage {
  id: string;
  conversationId: string;
  query: string;
  /** Without its reasoning. */
  answer: string;
  reasoning: string;
  rating?: Rating;
  sources: readonly AppSource[];
  thoughts: readonly AppThought[];
  /** What the user sent along. */
  attached: readonly AppFile[];
  files: readonly AppFile[];
  error?: string;
  createdAtMs?: number;
}

export const ratingSchema = z.enum(['like', 'dislike']);
export type Rating = z.infer<typeof ratingSchema>;

export interface AppVariable {
  id: string;
  name: string;
  type: string;
  value: unknown;
  description?: string;
}
