import * as z from 'zod/mini';
import { locationSchema } from './location.ts';

const toldChipSchema = z.object({
  /** Path of an instruction file, or `activeEditor`. */
  id: z.string(),
  kind: z.enum(['instructions', 'activeEditor']),
  label: z.string(),
  detail: z.optional(z.string()),
  isOn: z.boolean(),
  location: locationSchema,
});
export type ToldChip = z.infer<typeof toldChipSchema>;

export const toldEvents = [
  z.object({ type: z.literal('toldChanged'), told: z.array(toldChipSchema) }),
] as const;

export const toldCommands = [
  z.object({ type: z.literal('switchTold'), id: z.string(), isOn: z.boolean() }),
  z.object({ type: z.literal('attachActiveEditor') }),
  z.object({ type: z.literal('showSent'), id: z.string() }),
] as const;
export type ToldCommand = z.infer<(typeof toldCommands)[number]>;
