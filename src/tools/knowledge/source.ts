import * as z from 'zod/mini';

/** A knowledge base that a conversation may be grounded in. */
export const knowledgeBaseSchema = z.object({ id: z.string(), name: z.string() });
export type KnowledgeBase = z.infer<typeof knowledgeBaseSchema>;

/** A segment that was found, with the number by which an answer cites it. Kept with the conversation. */
export const sourceSchema = z.object({
  /** Unique in its conversation, and the same whenever this segment is found again. */
  n: z.int().check(z.minimum(1)),
  datasetId: z.string(),
  datasetName: z.string(),
  documentId: z.string(),
  documentName: z.string(),
  segmentId: z.string(),
  /** 1-based place in the document. */
  position: z.optional(z.number()),
  score: z.optional(z.number()),
  /** At most `longestKeptContent` characters. */
  content: z.string(),
  /** The file of this workspace, or its 1-based lines, that the document was made from. */
  origin: z.optional(
    z.object({
      path: z.string(),
      lines: z.optional(z.object({ start: z.number(), end: z.number() })),
    }),
  ),
});
export type Source = z.infer<typeof sourceSchema>;

export const longestKeptContent = 20_000;

/** A segment as a search gives it. */
export type FoundSegment = Omit<Source, 'n'>;

/** What one search came to. */
export const findingsSchema = z.object({
  sources: z.array(sourceSchema),
  /** Names of the knowledge bases that answered. */
  searched: z.array(z.string()),
  /** Those that did not, by name, and why, in the user's language. */
  failures: z.array(z.object({ name: z.string(), why: z.string() })),
});
export type Findings = z.infer<typeof findingsSchema>;
