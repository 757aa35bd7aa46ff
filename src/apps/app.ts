import type { JsonSchema } from '../base/jsonSchema.ts';
import type { RetryScheduled } from '../base/errors/errors.ts';
import * as z from 'zod/mini';
import type { FileType } from '../platform/documents/contentTypes.ts';

/** Schemas mark stored and posted values. Source: platform-api.md 3 to 6. */

/** `agent` covers `agent-chat`; `unknown`: a newer server's mode, or none reported by an old server. */
export const appKinds = ['chat', 'agent', 'chatflow', 'completion', 'workflow', 'unknown'] as const;
export type AppKind = (typeof appKinds)[number];

export interface AppInfo {
  name: string;
  description: string;
  kind: AppKind;
  tags: readonly string[];
  author?: string;
  look?: AppLook;
}

export const colorPattern = /^#[0-9a-fA-F]{6}$/;

export const appLookSchema = z.object({
  icon: z.optional(z.string()),
  iconBackground: z.optional(z.string().check(z.regex(colorPattern))),
  /** The platform's id of a picture, and its cached file. */
  picture: z.optional(
    z.object({ id: z.string(), file: z.string().check(z.regex(/^[0-9a-f]{32}\.(png|jpg|gif|webp)$/)) }),
  ),
});
export type AppLook = z.infer<typeof appLookSchema>;

export interface AppSite {
  title: string;
  description: string;
  icon?: string;
  iconBackground?: string;
  /** A picture's signed URL and its stable file id; the URL changes with each request. */
  picture?: { id: string; address: string };
  language?: string;
  copyright?: string;
  privacyPolicy?: string;
  disclaimer?: string;
}

export interface AppParameters {
  openingStatement: string;
  suggestedQuestions: readonly string[];
  suggestsAfterAnswer: boolean;
  repliesByAnnotation?: true;
  transcribes?: true;
  speaks?: true;
  form: readonly FormField[];
  files: FileRules;
}

export const shownFieldSchema = z.object({
  variable: z.string(),
  label: z.string(),
  /** Unknown kinds are treated as `text`. */
  type: z.enum(['text', 'paragraph', 'number', 'select', 'checkbox', 'json', 'file', 'file-list']),
  isRequired: z.boolean(),
  options: z.optional(z.array(z.string())),
  placeholder: z.optional(z.string()),
  hint: z.optional(z.string()),
});

export interface FormField extends z.infer<typeof shownFieldSchema> {
  maxLength?: number;
  /** Default value in the field's type; JSON as text. */
  default?: string | number | boolean;
  files?: AcceptedFiles;
  /** Never shown; its default is sent. */
  isHidden?: true;
  jsonSchema?: JsonSchema;
}

export function shownFields(form: readonly FormField[]): FormField[] {
  return form.filter(({ isHidden }) => !isHidden);
}

export interface AcceptedFiles {
  /** `image`, `document`, `audio`, `video`, `custom`; empty means every type. */
  types: readonly string[];
  /** With a dot. Beside named types, they define `custom`. */
  extensions: readonly string[];
  methods: readonly FileMethod[];
  maxFiles?: number;
}

export const fileMethodSchema = z.enum(['local_file', 'remote_url']);
export type FileMethod = z.infer<typeof fileMethodSchema>;

export interface FileRules extends AcceptedFiles {
  isEnabled: boolean;
  maxFiles: number;
  /** Bytes by type; also for files of the form. */
  maxBytes: MaxBytes;
}

export type MaxBytes = Readonly<Record<FileType, number>>;

export type FileReference =
  | { type: FileType; method: 'local_file'; uploadFileId: string }
  | { type: FileType; method: 'remote_url'; url: string };

export interface AppFile {
  id?: string;
  name: string;
  mimeType?: string;
  address?: string;
  size?: number;
}

export const outputFileSchema = z.object({ name: z.string(), address: z.string() });
export type OutputFile = z.infer<typeof outputFileSchema>;

export type AppEvent =
  /** The request was sent, again after each retry. */
  | { type: 'requestSent' }
  | RetryScheduled
  /** Only keep-alives for a while. `notStarted`: no event at all from a run that announces its start. */
  | { type: 'stalled'; state: StallState; forMs: number }
  /** Ids as soon as they are known; repeated as more become known. */
  | { type: 'started'; taskId?: string; messageId?: string; conversationId?: string; runId?: string }
  | { type: 'textAdded'; text: string }
  | { type: 'textReplaced'; text: string }
  | { type: 'reasoningAdded'; text: string }
  /** Repeated with the same `id` as it grows. */
  | { type: 'thoughtChanged'; thought: AppThought }
  /** Repeated with the same `id` as the step proceeds; a loop's carries the round. */
  | { type: 'stepChanged'; step: AppStep; node?: StepNode }
  | { type: 'fileAdded'; file: AppFile }
  | { type: 'sourcesFound'; sources: readonly AppSource[] }
  /** An annotation answered, and no model. Chatflows don't report it. */
  | { type: 'annotationUsed' }
  | { type: 'paused'; reasons: readonly string[]; forms?: readonly PausedForm[] }
  | { type: 'resumed' }
  /** Also sent for a failed run, before its error is thrown. */
  | { type: 'runFinished'; run: AppRun }
  /** The last event, exactly once, unless an error is thrown. */
  | { type: 'ended'; usage?: AppUsage; files: readonly AppFile[] };

export interface PausedForm {
  /** Token of the form in requests; opens this form alone. */
  token: string;
  title: string;
}

export const annotationSchema = z.enum(['used', 'saved']);
export type Annotation = z.infer<typeof annotationSchema>;

/** Source of the input: a form `here`, the `platform`, or a `submitted` form whose run is no longer followed. */
export const inputPlaceSchema = z.enum(['here', 'platform', 'submitted']);
export type InputPlace = z.infer<typeof inputPlaceSchema>;

export interface HumanInputForm {
  /** Markdown. */
  content: string;
  fields: readonly FormField[];
  actions: readonly { id: string; title: string }[];
  expiresAtMs?: number;
}

/** Meaning of a stall: the run did not start, has no answer yet, or sends nothing more for now. */
export const stallStateSchema = z.enum(['notStarted', 'noAnswer', 'noNews']);
export type StallState = z.infer<typeof stallStateSchema>;

export interface AppThought {
  id: string;
  position: number;
  thought: string;
  tool?: string;
  toolLabel?: string;
  toolInput?: string;
  observation?: string;
}

export const appStepSchema = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.string(),
  status: z.enum(['running', 'succeeded', 'failed', 'stopped', 'paused', 'retrying', 'unknown']),
  error: z.optional(z.string()),
  elapsedMs: z.optional(z.number()),
  tokens: z.optional(z.number()),
  /** 1-based round of an iteration or a loop. */
  round: z.optional(z.number()),
  retries: z.optional(z.number()),
  /** Nesting of an agent's actions within a step, from 1. */
  depth: z.optional(z.number()),
  detail: z.optional(z.string()),
});
export type AppStep = z.infer<typeof appStepSchema>;

export interface StepNode {
  id: string;
  /** Absent where the platform doesn't report them: a sign-in's runs never have them. */
  inputs?: Readonly<Record<string, unknown>>;
}

export interface AppRun {
  id?: string;
  workflowId?: string;
  status: 'running' | 'succeeded' | 'partly-succeeded' | 'failed' | 'stopped' | 'paused' | 'unknown';
  inputs?: Readonly<Record<string, unknown>>;
  outputs: Readonly<Record<string, unknown>>;
  error?: string;
  elapsedMs?: number;
  tokens?: number;
  stepCount?: number;
  createdAtMs?: number;
}

export interface AppUsage {
  promptTokens?: number;
  completionTokens?: number;
  totalTokens?: number;
  /** Decimal number as text. */
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
  answer: string;
  reasoning: string;
  rating?: Rating;
  sources: readonly AppSource[];
  thoughts: readonly AppThought[];
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
