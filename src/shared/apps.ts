import * as z from 'zod/mini';
import {
  appStepSchema,
  colorPattern,
  fileMethodSchema,
  inputPlaceSchema,
  outputFileSchema,
  ratingSchema,
  shownFieldSchema,
} from '../apps/app.ts';
import { failureSchema } from './failure.ts';

export type { AppStep, Rating } from '../apps/app.ts';
export { statusLabel } from '../apps/run/statusLabel.ts';

/** What an app gave beside the words of an answer, and what the user thinks of it. */
export const answerAppSchema = z.object({
  files: z.array(outputFileSchema),
  /** To go on with. */
  questions: z.array(z.string()),
  /** The platform knows the answer, so that it can be rated there. */
  canRate: z.boolean(),
  rating: z.optional(ratingSchema),
  /** The run waits for human input. */
  awaits: z.optional(z.object({ titles: z.array(z.string()), place: inputPlaceSchema })),
});
export type AnswerApp = z.infer<typeof answerAppSchema>;

/** A field of the form before the first message, with what is in it. */
export const fieldViewSchema = z.extend(shownFieldSchema, {
  value: z.optional(z.union([z.string(), z.boolean()])),
  /** Of a field for files. */
  files: z.optional(
    z.object({
      /** What is accepted, in words. */
      limits: z.string(),
      methods: z.array(fileMethodSchema),
      chosen: z.array(z.object({ id: z.string(), label: z.string(), detail: z.optional(z.string()) })),
    }),
  ),
  /** What the platform would refuse. */
  problem: z.optional(z.string()),
});
export type FieldView = z.infer<typeof fieldViewSchema>;

/** What stands for an app beside its name. */
export const shownLookSchema = z.object({
  /** An emoji. */
  icon: z.optional(z.string()),
  iconBackground: z.optional(z.string().check(z.regex(colorPattern))),
  /** The name of a picture, which is asked for with it. */
  picture: z.optional(z.string()),
});
export type ShownLook = z.infer<typeof shownLookSchema>;

/** The app that the next message goes to. */
export const appViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  look: z.optional(shownLookSchema),
  description: z.optional(z.string()),
  address: z.string(),
  state: z.enum(['loading', 'ready', 'failed']),
  failure: z.optional(failureSchema),
  /** Its conversation goes on: there is nothing to be filled in any more. */
  isStarted: z.boolean(),
  /** Markdown. */
  opening: z.string(),
  suggestedQuestions: z.array(z.string()),
  fields: z.array(fieldViewSchema),
});
export type AppView = z.infer<typeof appViewSchema>;

const longestInput = 1_000_000;

/** Commands about apps. A page names a field it was shown, and never a path. */
export const appCommands = [
  /** Without a rating it is taken back. */
  z.object({ type: z.literal('rateAnswer'), id: z.string(), rating: z.optional(ratingSchema) }),
  /** What the run of this answer waits for: the form is filled in, or what became of the run is asked. */
  z.object({ type: z.literal('provideInput'), id: z.string() }),
  z.object({ type: z.literal('stopWaiting'), id: z.string() }),
  /** A question that was suggested; what is being typed stays. */
  z.object({ type: z.literal('sendSuggestion'), text: z.string() }),
  z.object({
    type: z.literal('changeInput'),
    variable: z.string(),
    value: z.union([z.string().check(z.maxLength(longestInput)), z.boolean()]),
  }),
  /** Lets the user pick files for a field. */
  z.object({ type: z.literal('chooseInputFiles'), variable: z.string() }),
  z.object({ type: z.literal('addInputAddress'), variable: z.string(), address: z.string() }),
  z.object({ type: z.literal('removeInputFile'), variable: z.string(), fileId: z.string() }),
  z.object({ type: z.literal('reloadApp') }),
  z.object({ type: z.literal('loadAppPicture'), file: z.string() }),
] as const;
export type AppCommand = z.infer<(typeof appCommands)[number]>;

/** Events about them. */
export const appEvents = [
  /** Without an app, a model gets the next message. */
  z.object({ type: z.literal('appChanged'), app: z.optional(appViewSchema) }),
  /** One that is known by its id is replaced in its place. */
  z.object({ type: z.literal('stepChanged'), id: z.string(), step: appStepSchema }),
  z.object({ type: z.literal('answerAppChanged'), id: z.string(), app: answerAppSchema }),
] as const;
