import * as z from 'zod/mini';

export const locationSchema = z.object({
  path: z.string(),
  /** Lines and columns are 1-based. */
  line: z.optional(z.number()),
  column: z.optional(z.number()),
  endLine: z.optional(z.number()),
});
export type Location = z.infer<typeof locationSchema>;
