import * as z from 'zod/mini';

export const knowledgeBaseSchema = z.object({ id: z.string(), name: z.string() });
export type KnowledgeBase = z.infer<typeof knowledgeBaseSchema>;

export const sourceSchema = z.object({
  /** Unique in the conversation and stable for the segment. */
  n: z.int().check(z.minimum(1)),
  datasetId: z.string(),
  datasetName: z.string(),
  documentId: z.string(),
  documentName: z.string(),
  segmentId: z.string(),
  /** 1-based position in the document. */
  position: z.optional(z.number()),
  score: z.optional(z.number()),
  /** At most `longestKeptContent` characters. */
  content: z.string(),
  /** The workspace file that the document was made from, with 1-based lines. */
  origin: z.optional(
    z.object({
      path: z.string(),
      lines: z.optional(z.object({ start: z.number(), end: z.number() })),
    }),
  ),
});
export type Source = z.infer<typeof sourceSchema>;

export const longestKeptContent = 20_000;

export type FoundSegment = Omit<Source, 'n'>;

export const findingsSchema = z.object({
  sources: z.array(sourceSchema),
  searched: z.array(z.string()),
  /** Names and localized reasons. */
  failures: z.array(z.object({ name: z.string(), why: z.string() })),
});
export type Findings = z.infer<typeof findingsSchema>;
