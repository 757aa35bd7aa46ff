import * as z from 'zod/mini';
import { reasoningEfforts } from '../relay/parameters.ts';

/** What is sent with each request of the conversation that is shown. */
export const shownParametersSchema = z.object({
  temperature: z.optional(z.number()),
  /** Tokens. */
  maxTokens: z.optional(z.number()),
  reasoningEffort: z.optional(z.enum(reasoningEfforts)),
});
export type ShownParameters = z.infer<typeof shownParametersSchema>;

export const parameterEvents = [
  /** As it was asked for, and again when something of it has changed since. */
  z.object({
    type: z.literal('parametersLoaded'),
    /** Chosen in the conversation. */
    chosen: shownParametersSchema,
    /** Of the settings, which count for what is not chosen. */
    defaults: shownParametersSchema,
    /** What the model refused: names, or names with a value as in `reasoningEffort=xhigh`. */
    refused: z.array(z.string()),
    /** The model's name. */
    model: z.string(),
  }),
] as const;
export type ParametersLoaded = Omit<z.infer<(typeof parameterEvents)[0]>, 'type'>;

export const parameterCommands = [
  z.object({ type: z.literal('loadParameters') }),
  /** All of them: for what is absent the settings count. */
  z.object({
    type: z.literal('chooseParameters'),
    parameters: z.object({
      temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
      maxTokens: z.optional(z.int().check(z.positive())),
      reasoningEffort: z.optional(z.enum(reasoningEfforts)),
    }),
  }),
] as const;
export type ParameterCommand = z.infer<(typeof parameterCommands)[number]>;
