import * as z from 'zod/mini';

/** A place in a workspace file. */
export const locationSchema = z.object({
  path: z.string(),
  /** 1-based. */
  line: z.optional(z.number()),
  /** 1-based. */
  column: z.optional(z.number()),
  endLine: z.optional(z.number()),
});
export type Location = z.infer<typeof locationSchema>;
