import * as z from 'zod/mini';
import { appStepSchema, stallStateSchema } from '../apps/app.ts';
import { answerAppSchema, shownLookSchema } from './apps.ts';
import { attachmentChipSchema } from './attachments.ts';
import { failureSchema, remedySchema } from './failure.ts';
import { citableSchema, searchEntrySchema, sourceSchema } from './knowledge.ts';
import { editsEntrySchema, toolEntrySchema } from './tools.ts';

export type { Failure } from './failure.ts';
export type { Location } from './location.ts';

/** What the page shows. Texts are already in the user's language; the page adds none of its own to them. */

export const usageSchema = z.object({
  promptTokens: z.optional(z.number()),
  completionTokens: z.optional(z.number()),
  totalTokens: z.optional(z.number()),
  cachedTokens: z.optional(z.number()),
  reasoningTokens: z.optional(z.number()),
  /** Money in words. */
  cost: z.optional(z.string()),
});
export type Usage = z.infer<typeof usageSchema>;

/**
 * How an answer ended. `note` is said under the text (stopped, cut at the token limit, filtered). `isStep`: it ended
 * in tool calls and the turn goes on, so it is not an answer to act on.
 */
export const entryEndSchema = z.object({
  isStep: z.optional(z.boolean()),
  note: z.optional(z.string()),
  failure: z.optional(failureSchema),
  /** Of the whole turn, at its last answer: the sum, and each request where there were several. */
  usage: z.optional(
    z.object({
      total: usageSchema,
      requests: z.optional(z.array(z.extend(usageSchema, { isSummary: z.optional(z.boolean()) }))),
    }),
  ),
  /** It ends with a plan, which can be started while it is the newest. */
  hasPlan: z.optional(z.boolean()),
  /** It was cut off or stopped, and can be gone on with while it is the newest. */
  canContinue: z.optional(z.boolean()),
  /** What the answer is grounded in, listed under it: what was found for its question, cited or not. */
  sources: z.optional(z.array(sourceSchema)),
});
export type EntryEnd = z.infer<typeof entryEndSchema>;

/** Which of several versions of a message or an answer is shown, counted from 1. */
export const versionSchema = z.object({ number: z.number(), count: z.number() });
export type Version = z.infer<typeof versionSchema>;

export const userEntrySchema = z.object({
  type: z.literal('user'),
  id: z.string(),
  text: z.string(),
  version: z.optional(versionSchema),
  attachments: z.optional(z.array(attachmentChipSchema)),
});

export const assistantEntrySchema = z.object({
  type: z.literal('assistant'),
  id: z.string(),
  /** The model's name, which is the accessible name of the entry. */
  model: z.string(),
  text: z.string(),
  reasoning: z.string(),
  version: z.optional(versionSchema),
  /** What [n] in the text may stand for while it is still coming; `end.sources` adds to it. */
  citable: z.optional(citableSchema),
  /** Of a flow that an app went through. */
  steps: z.optional(z.array(appStepSchema)),
  /** What an app gave beside its words. */
  app: z.optional(answerAppSchema),
  /** Absent while the answer is still coming. */
  end: z.optional(entryEndSchema),
});

/** Something the user should know that is neither an answer nor a failure. */
export const noticeEntrySchema = z.object({
  type: z.literal('notice'),
  id: z.string(),
  text: z.string(),
  /** More of it, to unfold. */
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
  /** Another window answers, and all of it is shown here. */
  z.object({ type: z.literal('runningElsewhere') }),
  z.object({ type: z.literal('connecting') }),
  /** Knowledge bases are searched before the question is sent. */
  z.object({ type: z.literal('searching') }),
  /** Earlier messages are made shorter before the question is sent. */
  z.object({ type: z.literal('summarising') }),
  /** The request is sent and no token came yet; `sinceMs` is epoch milliseconds, the page counts the seconds. */
  z.object({ type: z.literal('waiting'), sinceMs: z.number() }),
  z.object({ type: z.literal('answering') }),
  /** `readsInput`: one of them may wait for what the user types in its terminal. */
  z.object({ type: z.literal('runningTools'), readsInput: z.optional(z.literal(true)) }),
  z.object({ type: z.literal('uploading'), name: z.string() }),
  /** A step of a flow. */
  z.object({ type: z.literal('runningStep'), title: z.string() }),
  /** The platform sends only signs of life since then, in epoch milliseconds. */
  z.object({
    type: z.literal('stalled'),
    state: stallStateSchema,
    sinceMs: z.number(),
  }),
  /** A call waits for the user's word. */
  z.object({ type: z.literal('asking') }),
  /** `untilMs` is epoch milliseconds. */
  z.object({ type: z.literal('retrying'), untilMs: z.number(), why: z.string() }),
]);
export type Status = z.infer<typeof statusSchema>;

export const connectionSchema = z.object({
  /** `none`: no address or no key for it; the page then shows the welcome with one button. */
  state: z.enum(['none', 'connected']),
  address: z.optional(z.string()),
  fromEnvironment: z.optional(z.boolean()),
});
export type Connection = z.infer<typeof connectionSchema>;

/** How many tools models are offered, of those there are. */
export const toolCountSchema = z.object({ on: z.number(), total: z.number() });
export type ToolCount = z.infer<typeof toolCountSchema>;

export const modelOptionSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The group in the picker; absent when nobody said it. */
  vendor: z.optional(z.string()),
  /** Tokens; absent is shown as unknown. */
  contextWindow: z.optional(z.number()),
  /** What its relay is called, where several are connected. */
  relay: z.optional(z.string()),
  /** What its relay calls it, where the id names the relay, too. */
  plainId: z.optional(z.string()),
  /** What it is known to support; what is absent nobody said. */
  tools: z.optional(z.boolean()),
  images: z.optional(z.boolean()),
  reasoning: z.optional(z.boolean()),
  /** What kind of app it is, in words, where it is an app of the platform and no model. */
  app: z.optional(z.string()),
  /** Of an app. */
  look: z.optional(shownLookSchema),
});
export type ModelOption = z.infer<typeof modelOptionSchema>;

export const modelsSchema = z.object({
  state: z.enum(['none', 'loading', 'ready', 'failed']),
  options: z.array(modelOptionSchema),
  selected: z.optional(modelOptionSchema),
  /** The relay's list lacks the selected model, so it is not asked. */
  isSelectedUnlisted: z.optional(z.boolean()),
  /** The host of the selected model's relay, if that is not connected. */
  missingRelay: z.optional(z.string()),
  favourites: z.array(z.string()),
  /** The last ones that were picked, the newest first. */
  recent: z.array(z.string()),
  /** Where several are connected: their names, and what ids of their models begin with. */
  relays: z.optional(z.array(z.object({ name: z.string(), prefix: z.string() }))),
  failure: z.optional(failureSchema),
});
export type Models = z.infer<typeof modelsSchema>;
