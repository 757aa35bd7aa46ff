import * as z from 'zod/mini';
import { usageSchema } from './transcript.ts';

const contextUseSchema = z.object({
  tokens: z.number(),
  isCounted: z.boolean(),
  /** The model's window in tokens; absent if unknown. */
  window: z.optional(z.number()),
});
export type ContextUse = z.infer<typeof contextUseSchema>;

export const contextEvents = [
  z.object({ type: z.literal('contextUseChanged'), use: z.optional(contextUseSchema) }),
  /** Estimated tokens by part; empty parts are left out. */
  z.object({
    type: z.literal('contextPartsLoaded'),
    parts: z.array(z.object({ name: z.string(), tokens: z.number() })),
    canCompact: z.boolean(),
    spent: usageSchema,
  }),
] as const;
export type ContextPartsLoaded = Omit<z.infer<(typeof contextEvents)[1]>, 'type'>;

export const contextCommands = [
  z.object({ type: z.literal('loadContextParts') }),
  z.object({ type: z.literal('compactConversation') }),
] as const;
export type ContextCommand = z.infer<(typeof contextCommands)[number]>;
