import * as z from 'zod/mini';
import { locationSchema } from './location.ts';

/** What models are told beside the conversation, each as a chip that can be switched off. */
export const toldChipSchema = z.object({
  /** The path of an instruction file, or `activeEditor`. */
  id: z.string(),
  kind: z.enum(['instructions', 'activeEditor']),
  label: z.string(),
  /** Its size, or the selected lines. */
  detail: z.optional(z.string()),
  isOn: z.boolean(),
  /** Where it opens. */
  location: locationSchema,
});
export type ToldChip = z.infer<typeof toldChipSchema>;

export const toldEvents = [
  z.object({ type: z.literal('toldChanged'), told: z.array(toldChipSchema) }),
] as const;

export const toldCommands = [
  z.object({ type: z.literal('switchTold'), id: z.string(), isOn: z.boolean() }),
  /** Attach the content of the active editor, or what is selected in it. */
  z.object({ type: z.literal('attachActiveEditor') }),
  /** Show all that was sent for the answer with this id. */
  z.object({ type: z.literal('showSent'), id: z.string() }),
] as const;
export type ToldCommand = z.infer<(typeof toldCommands)[number]>;
