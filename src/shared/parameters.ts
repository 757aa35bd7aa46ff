import * as z from 'zod/mini';
import { reasoningEfforts } from '../relay/parameters.ts';

const shownParametersSchema = z.object({
  temperature: z.optional(z.number()),
  maxTokens: z.optional(z.number()),
  reasoningEffort: z.optional(z.enum(reasoningEfforts)),
});
export type ShownParameters = z.infer<typeof shownParametersSchema>;

export const parameterEvents = [
  z.object({
    type: z.literal('parametersLoaded'),
    chosen: shownParametersSchema,
    defaults: shownParametersSchema,
    /** Rejected by the model: names, or `name=value`. */
    refused: z.array(z.string()),
    model: z.string(),
  }),
] as const;
export type ParametersLoaded = Omit<z.infer<(typeof parameterEvents)[0]>, 'type'>;

export const parameterCommands = [
  z.object({ type: z.literal('loadParameters') }),
  /** All chosen parameters; absent ones use the settings. */
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
