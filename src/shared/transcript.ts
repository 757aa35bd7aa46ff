import * as z from 'zod/mini';
import { appStepSchema, stallStateSchema } from '../apps/app.ts';
import { answerAppSchema, shownLookSchema } from './apps.ts';
import { attachmentChipSchema } from './attachments.ts';
import { failureSchema, remedySchema } from './failure.ts';
import { answerPictureSchema } from './pictures.ts';
import { citableSchema, searchEntrySchema, sourceSchema } from './knowledge.ts';
import { editsEntrySchema, toolEntrySchema } from './tools.ts';

export type { Failure } from './failure.ts';
export type { Location } from './code.ts';

/** Content of the page. Texts are in the user's language already. */

export const usageSchema = z.object({
  promptTokens: z.optional(z.number()),
  completionTokens: z.optional(z.number()),
  totalTokens: z.optional(z.number()),
  cachedTokens: z.optional(z.number()),
  reasoningTokens: z.optional(z.number()),
  cost: z.optional(z.string()),
});
export type Usage = z.infer<typeof usageSchema>;

/** `note` stands below the text. `isStep`: the turn continues with tool calls, so the answer has no actions. */
export const entryEndSchema = z.object({
  isStep: z.optional(z.boolean()),
  note: z.optional(z.string()),
  failure: z.optional(failureSchema),
  /** Usage of the whole turn, at its last answer, with each request if there were several. */
  usage: z.optional(
    z.object({
      total: usageSchema,
      requests: z.optional(z.array(z.extend(usageSchema, { isSummary: z.optional(z.boolean()) }))),
    }),
  ),
  /** True if it ends with a plan, which can be started while it is the newest. */
  hasPlan: z.optional(z.boolean()),
  /** True if it was cut off or stopped and can be continued while it is the newest. */
  canContinue: z.optional(z.boolean()),
  sources: z.optional(z.array(sourceSchema)),
});
export type EntryEnd = z.infer<typeof entryEndSchema>;

/** 1-based index of the shown version. */
const versionSchema = z.object({ number: z.number(), count: z.number() });
export type Version = z.infer<typeof versionSchema>;

const userEntrySchema = z.object({
  type: z.literal('user'),
  id: z.string(),
  text: z.string(),
  version: z.optional(versionSchema),
  attachments: z.optional(z.array(attachmentChipSchema)),
});

const assistantEntrySchema = z.object({
  type: z.literal('assistant'),
  id: z.string(),
  /** Model name, also the entry's accessible name. */
  model: z.string(),
  text: z.string(),
  reasoning: z.string(),
  reasoningMs: z.optional(z.number()),
  version: z.optional(versionSchema),
  /** Provisional sources for [n] while streaming; `end.sources` completes them. */
  citable: z.optional(citableSchema),
  steps: z.optional(z.array(appStepSchema)),
  pictures: z.optional(z.array(answerPictureSchema)),
  app: z.optional(answerAppSchema),
  end: z.optional(entryEndSchema),
});

const noticeEntrySchema = z.object({
  type: z.literal('notice'),
  id: z.string(),
  text: z.string(),
  detail: z.optional(z.string()),
  remedy: z.optional(z.object({ type: remedySchema, label: z.string() })),
});

export const entrySchema = z.discriminatedUnion('type', [
  userEntrySchema,
  assistantEntrySchema,
  toolEntrySchema,
  noticeEntrySchema,
  editsEntrySchema,
  searchEntrySchema,
]);
export type Entry = z.infer<typeof entrySchema>;

export const statusSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('idle') }),
  z.object({ type: z.literal('runningElsewhere') }),
  z.object({ type: z.literal('connecting') }),
  z.object({ type: z.literal('searching') }),
  z.object({ type: z.literal('summarising') }),
  /** No token has arrived yet; `sinceMs` is epoch milliseconds, the page counts the seconds. */
  z.object({ type: z.literal('waiting'), sinceMs: z.number() }),
  z.object({ type: z.literal('answering') }),
  z.object({ type: z.literal('runningTools'), readsInput: z.optional(z.literal(true)) }),
  z.object({ type: z.literal('uploading'), name: z.string() }),
  z.object({ type: z.literal('runningStep'), title: z.string() }),
  /** Time of the last content, in epoch ms; only keep-alives since. */
  z.object({
    type: z.literal('stalled'),
    state: stallStateSchema,
    sinceMs: z.number(),
  }),
  z.object({ type: z.literal('asking') }),
  z.object({ type: z.literal('retrying'), untilMs: z.number(), why: z.string() }),
]);
export type Status = z.infer<typeof statusSchema>;

export const connectionSchema = z.object({
  /** `none`: no address or key; the page shows the welcome view. */
  state: z.enum(['none', 'connected']),
  address: z.optional(z.string()),
  fromEnvironment: z.optional(z.boolean()),
});
export type Connection = z.infer<typeof connectionSchema>;

export const toolCountSchema = z.object({
  on: z.number(),
  total: z.number(),
  /** MCP servers that could be started. */
  mcpToStart: z.optional(z.number()),
  isRestricted: z.optional(z.literal(true)),
});
export type ToolCount = z.infer<typeof toolCountSchema>;

const modelOptionSchema = z.object({
  id: z.string(),
  name: z.string(),
  vendor: z.optional(z.string()),
  /** Tokens; absent if unknown. */
  contextWindow: z.optional(z.number()),
  relay: z.optional(z.string()),
  plainId: z.optional(z.string()),
  /** Known capabilities; a missing field means unknown. */
  tools: z.optional(z.boolean()),
  images: z.optional(z.boolean()),
  reasoning: z.optional(z.boolean()),
  kind: z.optional(z.literal('other')),
  app: z.optional(z.string()),
  look: z.optional(shownLookSchema),
});
export type ModelOption = z.infer<typeof modelOptionSchema>;

export const modelsSchema = z.object({
  state: z.enum(['none', 'loading', 'ready', 'failed']),
  options: z.array(modelOptionSchema),
  selected: z.optional(modelOptionSchema),
  /** True if the relay's list lacks the selected model, so no request is sent. */
  isSelectedUnlisted: z.optional(z.boolean()),
  missingRelay: z.optional(z.string()),
  favourites: z.array(z.string()),
  /** Recently picked models, newest first. */
  recent: z.array(z.string()),
  relays: z.optional(z.array(z.object({ name: z.string(), prefix: z.string() }))),
  failure: z.optional(failureSchema),
});
export type Models = z.infer<typeof modelsSchema>;
