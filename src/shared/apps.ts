import * as z from 'zod/mini';
import {
  annotationSchema,
  appStepSchema,
  colorPattern,
  fileMethodSchema,
  inputPlaceSchema,
  outputFileSchema,
  ratingSchema,
  shownFieldSchema,
} from '../apps/app.ts';
import { failureSchema } from './failure.ts';

export type { Annotation, AppStep, Rating } from '../apps/app.ts';
export { statusLabel } from '../apps/run/runStatus.ts';

export const answerAppSchema = z.object({
  files: z.array(outputFileSchema),
  questions: z.array(z.string()),
  canRate: z.boolean(),
  rating: z.optional(ratingSchema),
  annotation: z.optional(annotationSchema),
  awaits: z.optional(z.object({ titles: z.array(z.string()), place: inputPlaceSchema })),
});
export type AnswerApp = z.infer<typeof answerAppSchema>;

const fieldViewSchema = z.extend(shownFieldSchema, {
  value: z.optional(z.union([z.string(), z.boolean()])),
  files: z.optional(
    z.object({
      limits: z.string(),
      methods: z.array(fileMethodSchema),
      chosen: z.array(z.object({ id: z.string(), label: z.string(), detail: z.optional(z.string()) })),
    }),
  ),
  /** Where the value was taken from. */
  origin: z.optional(z.string()),
  problem: z.optional(z.string()),
});
export type FieldView = z.infer<typeof fieldViewSchema>;

export const shownLookSchema = z.object({
  /** An emoji. */
  icon: z.optional(z.string()),
  iconBackground: z.optional(z.string().check(z.regex(colorPattern))),
  picture: z.optional(z.string()),
});
export type ShownLook = z.infer<typeof shownLookSchema>;

export const appViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  look: z.optional(shownLookSchema),
  description: z.optional(z.string()),
  address: z.string(),
  state: z.enum(['loading', 'ready', 'failed']),
  failure: z.optional(failureSchema),
  isStarted: z.boolean(),
  editsInputs: z.optional(z.literal(true)),
  canEditInputs: z.optional(z.literal(true)),
  /** Markdown. */
  opening: z.string(),
  suggestedQuestions: z.array(z.string()),
  fields: z.array(fieldViewSchema),
});
export type AppView = z.infer<typeof appViewSchema>;

const formViewSchema = z.object({
  ...{ id: z.string(), title: z.string(), fields: z.array(fieldViewSchema) },
  /** Markdown. */
  text: z.optional(z.string()),
  note: z.optional(z.string()),
  actions: z.array(z.object({ id: z.string(), label: z.string() })),
});
export type FormView = z.infer<typeof formViewSchema>;

const longestInput = 1_000_000;

const fieldEditSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('value'),
    value: z.union([z.string().check(z.maxLength(longestInput)), z.boolean()]),
  }),
  z.object({ type: z.literal('chooseFiles') }),
  z.object({ type: z.literal('address'), address: z.string() }),
  z.object({ type: z.literal('removeFile'), fileId: z.string() }),
  /** The selection, else the current file. */
  z.object({ type: z.literal('editor') }),
]);
export type FieldEdit = z.infer<typeof fieldEditSchema>;

/** Commands about apps. A page names a shown field, never a path. */
export const appCommands = [
  z.object({ type: z.literal('rateAnswer'), id: z.string(), rating: z.optional(ratingSchema) }),
  z.object({ type: z.literal('saveAnnotation'), id: z.string() }),
  z.object({ type: z.literal('provideInput'), id: z.string() }),
  z.object({ type: z.literal('stopWaiting'), id: z.string() }),
  /** Sends a suggested question; the draft stays. */
  z.object({ type: z.literal('sendSuggestion'), text: z.string() }),
  /** Without a form, the one that the shown app begins with. */
  z.object({
    ...{ type: z.literal('fillField'), form: z.optional(z.string()), variable: z.string() },
    edit: fieldEditSchema,
  }),
  /** Without an action, the form is cancelled. */
  z.object({ type: z.literal('answerForm'), form: z.string(), action: z.optional(z.string()) }),
  z.object({ type: z.literal('editInputs') }),
  z.object({ type: z.literal('cancelInputs') }),
  z.object({ type: z.literal('reloadApp') }),
  z.object({ type: z.literal('loadAppPicture'), file: z.string() }),
] as const;
export type AppCommand = z.infer<(typeof appCommands)[number]>;
export type FillCommand = Extract<AppCommand, { type: 'fillField' }>;
export type AnswerCommand = Extract<AppCommand, { type: 'answerForm' }>;

export const appEvents = [
  z.object({ type: z.literal('appChanged'), app: z.optional(appViewSchema) }),
  z.object({ type: z.literal('formChanged'), form: z.optional(formViewSchema) }),
  z.object({ type: z.literal('stepChanged'), id: z.string(), step: appStepSchema }),
  z.object({ type: z.literal('answerAppChanged'), id: z.string(), app: answerAppSchema }),
] as const;
