import * as z from 'zod/mini';
import { appStepSchema, inputPlaceSchema, outputFileSchema, ratingSchema } from '../../apps/app.ts';
import { sourceSchema } from '../../tools/knowledge/source.ts';

/** What happens in a conversation only where an app answers. `id` is the answer's, where there is one. */

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
  /** Added again with the same step's id as it progresses. */
  z.object({ type: z.literal('stepChanged'), id: z.string(), step: appStepSchema }),
  /** All segments that the app named; their numbers count in this answer alone. */
  z.object({ type: z.literal('segmentsFound'), id: z.string(), sources: z.array(sourceSchema) }),
  z.object({ type: z.literal('fileOutput'), id: z.string(), file: outputFileSchema }),
  /** The run waits for human input: told again when it waits for something else. */
  z.object({
    type: z.literal('inputAwaited'),
    id: z.string(),
    /** The platform's. */
    runId: z.string(),
    /** Of the steps that wait. */
    titles: z.array(z.string()),
    place: inputPlaceSchema,
  }),
  /** It goes on or is over, or the user does not wait for it any more. */
  z.object({ type: z.literal('inputSettled'), id: z.string() }),
  z.object({ type: z.literal('questionsSuggested'), id: z.string(), questions: z.array(z.string()) }),
  /** Without a rating it was taken back. */
  z.object({ type: z.literal('answerRated'), id: z.string(), rating: z.optional(ratingSchema) }),
] as const;
export type AppChatEvent = z.infer<(typeof appEventSchemas)[number]>;
