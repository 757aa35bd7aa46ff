import * as z from 'zod/mini';

/**
 * A call of a tool: what the turn runs, the user is asked about, the conversation's file holds and the page shows.
 * `id` is ours and unique, `callId` is the model's.
 */
export const callSchema = z.object({
  id: z.string(),
  callId: z.string(),
  name: z.string(),
  /** The arguments, which were read when the call came; empty where they are no object. */
  input: z.record(z.string(), z.unknown()),
  /** What came in place of an object. */
  inputText: z.optional(z.string()),
  /** Why it cannot be run whatever tools there are, in words for the model. */
  problem: z.optional(z.string()),
  /** What people call a tool that is not our own. */
  title: z.optional(z.string()),
  /** The model wrote it into its text, which may be no more than an example: only reads run unasked. */
  isText: z.optional(z.literal(true)),
});
export type Call = z.infer<typeof callSchema>;
