import * as z from 'zod/mini';
import { sourceSchema } from '../../tools/knowledge/source.ts';

/** What happens in a conversation only where an app answers. `id` is the answer's, where there is one. */

const stepSchema = z.object({
  /** Of this execution of a node. */
  id: z.string(),
  title: z.string(),
  /** The platform's word for what the node is: `llm`, `iteration`. */
  kind: z.string(),
  status: z.enum(['running', 'succeeded', 'failed', 'stopped', 'paused', 'retrying', 'unknown']),
  error: z.optional(z.string()),
  elapsedMs: z.optional(z.number()),
  tokens: z.optional(z.number()),
  /** Of an iteration or a loop, 1 for the first. */
  round: z.optional(z.number()),
});
/** A node of a flow, as far as it has come. */
export type AppStep = z.infer<typeof stepSchema>;

const givenFileSchema = z.object({ name: z.string(), address: z.string() });
/** A file in an answer, where it can be had. */
export type GivenFile = z.infer<typeof givenFileSchema>;

/** What a silence of the platform means: the run did not start, gave no answer yet, or gives nothing more for now. */
export type QuietState = 'notStarted' | 'noAnswer' | 'noNews';

export const ratings = ['like', 'dislike'] as const;
export type Rating = (typeof ratings)[number];

export const appEventSchemas = [
  /** The platform began a conversation for the app, or knows one that is gone on with here. */
  z.object({
    type: z.literal('appConversationStarted'),
    appId: z.string(),
    conversationId: z.string(),
  }),
  /** What is sent as `inputs` with every message to the app here: the platform uses and checks it each time. */
  z.object({
    type: z.literal('appInputsKnown'),
    appId: z.string(),
    inputs: z.record(z.string(), z.unknown()),
  }),
  /** The platform's id of the question with its answer. */
  z.object({ type: z.literal('answerNamed'), id: z.string(), messageId: z.string() }),
  /** Said anew with the same step's id as it goes on. */
  z.object({ type: z.literal('stepChanged'), id: z.string(), step: stepSchema }),
  /** All segments that the app named; their numbers count in this answer alone. */
  z.object({ type: z.literal('segmentsFound'), id: z.string(), sources: z.array(sourceSchema) }),
  z.object({ type: z.literal('fileGiven'), id: z.string(), file: givenFileSchema }),
  z.object({ type: z.literal('questionsSuggested'), id: z.string(), questions: z.array(z.string()) }),
  /** Without a rating it was taken back. */
  z.object({ type: z.literal('answerRated'), id: z.string(), rating: z.optional(z.enum(ratings)) }),
] as const;
export type AppChatEvent = z.infer<(typeof appEventSchemas)[number]>;
