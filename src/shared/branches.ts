import * as z from 'zod/mini';

/** Where the next message goes, if not to the end of the conversation. */
export const branchTargetSchema = z.object({
  /** The message that is edited, or the answer after which a branch begins. */
  id: z.string(),
  kind: z.enum(['edit', 'branch']),
});
export type BranchTarget = z.infer<typeof branchTargetSchema>;

/** Commands that change which way a conversation goes. */
export const branchCommands = [
  /** Put a message of the user into the message box, to send another version of it. */
  z.object({ type: z.literal('editMessage'), id: z.string() }),
  /** Let the next message follow this answer; what follows it now stays as a branch. */
  z.object({ type: z.literal('branchFrom'), id: z.string() }),
  /** Neither: what was in the message box before returns. */
  z.object({ type: z.literal('cancelBranch') }),
  /** Delete a message of the user and all after it. */
  z.object({ type: z.literal('deleteFrom'), id: z.string() }),
  /** As `retryTurn`, with a model that the user is asked for. */
  z.object({ type: z.literal('retryWithModel'), id: z.string() }),
] as const;
export type BranchCommand = z.infer<(typeof branchCommands)[number]>;

export const branchEvents = [
  /** Without a target, the next message goes to the end. */
  z.object({ type: z.literal('branchTargetChanged'), target: z.optional(branchTargetSchema) }),
] as const;
