import * as z from 'zod/mini';
import {
  annotationSchema,
  appStepSchema,
  inputPlaceSchema,
  outputFileSchema,
  ratingSchema,
} from '../../apps/app.ts';
import { sourceSchema } from '../../tools/knowledge/source.ts';

export const appEventSchemas = [
  z.object({
    type: z.literal('appConversationStarted'),
    appId: z.string(),
    conversationId: z.string(),
  }),
  /** Sent as `inputs` with every message to the app; the platform validates them each time. */
  z.object({
    type: z.literal('appInputsKnown'),
    appId: z.string(),
    inputs: z.record(z.string(), z.unknown()),
  }),
  z.object({ type: z.literal('answerNamed'), id: z.string(), messageId: z.string() }),
  /** Added again with the same step id as the step progresses. */
  z.object({ type: z.literal('stepChanged'), id: z.string(), step: appStepSchema }),
  /** All segments that the app named; their numbers are valid in this answer only. */
  z.object({ type: z.literal('segmentsFound'), id: z.string(), sources: z.array(sourceSchema) }),
  z.object({ type: z.literal('fileOutput'), id: z.string(), file: outputFileSchema }),
  /** The run waits for human input. Repeated when it waits for something else. */
  z.object({
    type: z.literal('inputAwaited'),
    id: z.string(),
    runId: z.string(),
    titles: z.array(z.string()),
    place: inputPlaceSchema,
  }),
  /** The run continued or ended, or the user stopped waiting for it. */
  z.object({ type: z.literal('inputSettled'), id: z.string() }),
  z.object({ type: z.literal('questionsSuggested'), id: z.string(), questions: z.array(z.string()) }),
  /** `used`: an annotation of the app was the answer. `saved`: the answer is an annotation now. */
  z.object({ type: z.literal('answerAnnotated'), id: z.string(), annotation: annotationSchema }),
  /** A missing rating withdraws the earlier one. */
  z.object({ type: z.literal('answerRated'), id: z.string(), rating: z.optional(ratingSchema) }),
] as const;
export type AppChatEvent = z.infer<(typeof appEventSchemas)[number]>;
