import * as z from 'zod/mini';
import { usageSchema } from './transcript.ts';

/** How full the model's context is. */
export const contextUseSchema = z.object({
  tokens: z.number(),
  /** By the server; else they are estimated. */
  isCounted: z.boolean(),
  /** Of the model, in tokens; absent while it is not known. */
  window: z.optional(z.number()),
});
export type ContextUse = z.infer<typeof contextUseSchema>;

export const contextEvents = [
  /** Without `use` there is nothing to show: nothing was said, or it is an app's to know. */
  z.object({ type: z.literal('contextUseChanged'), use: z.optional(contextUseSchema) }),
  /** What fills it, as was asked for: the name and the estimated tokens of each part that takes any. */
  z.object({
    type: z.literal('contextPartsLoaded'),
    parts: z.array(z.object({ name: z.string(), tokens: z.number() })),
    canCompact: z.boolean(),
    /** What all requests of the conversation took. */
    spent: usageSchema,
  }),
] as const;
export type ContextPartsLoaded = Omit<z.infer<(typeof contextEvents)[1]>, 'type'>;

export const contextCommands = [
  z.object({ type: z.literal('loadContextParts') }),
  /** Replace all but the newest messages, for the model, by a summary. */
  z.object({ type: z.literal('compactConversation') }),
] as const;
export type ContextCommand = z.infer<(typeof contextCommands)[number]>;
