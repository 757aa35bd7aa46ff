import * as z from 'zod/mini';

/** Place of the next message, unless it goes to the end: the edited message, or the answer to branch from. */
export const branchTargetSchema = z.object({
  id: z.string(),
  kind: z.enum(['edit', 'branch']),
});
export type BranchTarget = z.infer<typeof branchTargetSchema>;

export const branchCommands = [
  z.object({ type: z.literal('editMessage'), id: z.string() }),
  /** Lets the next message follow this answer; later messages stay as a branch. */
  z.object({ type: z.literal('branchFrom'), id: z.string() }),
  z.object({ type: z.literal('cancelBranch') }),
  z.object({ type: z.literal('deleteFrom'), id: z.string() }),
  z.object({ type: z.literal('retryWithModel'), id: z.string() }),
] as const;
export type BranchCommand = z.infer<(typeof branchCommands)[number]>;

export const branchEvents = [
  z.object({ type: z.literal('branchTargetChanged'), target: z.optional(branchTargetSchema) }),
] as const;
