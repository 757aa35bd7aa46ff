import * as z from 'zod/mini';

export const knowledgeBaseSchema = z.object({ id: z.string(), name: z.string() });
export type KnowledgeBase = z.infer<typeof knowledgeBaseSchema>;

const linesSchema = z.object({ start: z.number(), end: z.number() });

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
      lines: z.optional(linesSchema),
      /** SHA-256 of what was indexed: the file's bytes, or the selected text. */
      hash: z.optional(z.string()),
      commit: z.optional(z.string()),
      segmentLines: z.optional(linesSchema),
    }),
  ),
});
export type Source = z.infer<typeof sourceSchema>;

/** 1-based and inclusive. */
interface LineRange {
  startLine: number;
  endLine: number;
}

/** `changed`: its words are no longer in the file as they were indexed; the lines are those of what is left. */
export type SourceState =
  | { type: 'current'; lines?: LineRange }
  | { type: 'moved'; lines: LineRange }
  | { type: 'changed'; lines?: LineRange }
  | { type: 'gone' };

export type FoundSegment = Omit<Source, 'n'> & { state?: SourceState };

export const findingsSchema = z.object({
  sources: z.array(sourceSchema),
  searched: z.array(z.string()),
  failures: z.array(z.object({ name: z.string(), why: z.string() })),
});
export type Findings = z.infer<typeof findingsSchema>;
