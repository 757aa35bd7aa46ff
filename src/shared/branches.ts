import * as z from 'zod/mini';
import { attachmentChipSchema } from './attachments.ts';

export const branchTargetSchema = z.object({ id: z.string() });
export type BranchTarget = z.infer<typeof branchTargetSchema>;

export const messageEditSchema = z.object({
  id: z.string(),
  /** 0-based place among all entries; the page may not have loaded them. */
  index: z.number(),
  text: z.string(),
  attachments: z.array(attachmentChipSchema),
});
export type MessageEdit = z.infer<typeof messageEditSchema>;

export const branchCommands = [
  z.object({ type: z.literal('editMessage'), id: z.string() }),
  z.object({ type: z.literal('cancelEdit'), id: z.string() }),
  /** Lets the next message follow this answer; later messages stay as a branch. */
  z.object({ type: z.literal('branchFrom'), id: z.string() }),
  z.object({ type: z.literal('cancelBranch') }),
  z.object({ type: z.literal('deleteFrom'), id: z.string() }),
  z.object({ type: z.literal('retryWithModel'), id: z.string() }),
] as const;
export type BranchCommand = z.infer<(typeof branchCommands)[number]>;

export const branchEvents = [
  z.object({ type: z.literal('branchTargetChanged'), target: z.optional(branchTargetSchema) }),
  z.object({
    type: z.literal('editChanged'),
    edit: z.optional(messageEditSchema),
    /** True if the user has just asked for it, so it gets the focus. */
    isNew: z.optional(z.literal(true)),
  }),
] as const;
