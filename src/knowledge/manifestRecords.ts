import * as z from 'zod/mini';
import { parseJson } from '../base/json.ts';
import { processRuleSchema } from '../platform/processRule.ts';
import type { DocumentRecord } from '../platform/records.ts';

const linesSchema = z.object({ start: z.number(), end: z.number() });

/** A document of ours: where it comes from, and what of it was sent. */
const contentFields = {
  name: z.string(),
  path: z.string(),
  lines: z.optional(linesSchema),
  /** SHA-256 of the file's bytes, or of the selected text. */
  hash: z.string(),
  size: z.number(),
  /** Absent for a selection. */
  mtimeMs: z.optional(z.number()),
};

const platformDocumentSchema = z.object({ id: z.string(), uploadFileId: z.optional(z.string()) });

const outcomeSchema = z.object({
  type: z.enum(['indexed', 'empty', 'failed', 'paused', 'disabled', 'archived', 'gone']),
  segments: z.optional(z.number()),
  /** What the platform said of a failure. */
  reason: z.optional(z.string()),
  /** The user is to be told of it: see `announced`. */
  isNews: z.optional(z.boolean()),
});
/** How indexing ended. `gone`: the document was deleted on the platform. */
export type Outcome = z.infer<typeof outcomeSchema>;

const runItemSchema = z.object({
  ...contentFields,
  how: z.enum(['file', 'text']),
  realPath: z.string(),
  /** The document that it was to replace. */
  replaces: z.optional(platformDocumentSchema),
});
export type RunItem = z.infer<typeof runItemSchema>;

const runRemovalSchema = z.object({
  documentId: z.string(),
  name: z.string(),
  path: z.string(),
  reason: z.pipe(
    // Up to 0.1.0 it was `left-out`.
    z.enum(['removed', 'renamed', 'skipped', 'left-out']),
    z.transform((reason) => (reason === 'left-out' ? 'skipped' : reason)),
  ),
});

/** Technique and rule that the run was confirmed with. */
const runSettingsSchema = z.object({
  technique: z.enum(['high_quality', 'economical']),
  processRule: processRuleSchema,
});

const at = { at: z.number() };

/** A line of a manifest: what was meant to be done is written before it is done, what was done after it. */
export const manifestRecordSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run'),
    ...at,
    run: z.string(),
    datasetName: z.string(),
    /** The process that sends it. */
    by: z.string(),
    settings: runSettingsSchema,
    items: z.array(runItemSchema),
    removals: z.array(runRemovalSchema),
  }),
  z.object({
    type: z.literal('sending'),
    ...at,
    ...contentFields,
    replaces: z.optional(platformDocumentSchema),
  }),
  z.object({
    type: z.literal('sent'),
    ...at,
    ...contentFields,
    documentId: z.string(),
    uploadFileId: z.optional(z.string()),
    /** Absent when only the list of documents told that it had arrived. */
    batch: z.optional(z.string()),
    /** Once indexing has ended. */
    outcome: z.optional(outcomeSchema),
    /** The process that tells the user of the outcome. */
    announcedBy: z.optional(z.string()),
  }),
  /** It certainly did not arrive. */
  z.object({ type: z.literal('refused'), ...at, name: z.string() }),
  z.object({ type: z.literal('outcome'), ...at, documentId: z.string(), outcome: outcomeSchema }),
  /** The first process to write it tells the user how indexing of these ended; others that polled them do not. */
  z.object({ type: z.literal('announced'), ...at, documentIds: z.array(z.string()), by: z.string() }),
  z.object({ type: z.literal('removed'), ...at, documentId: z.string() }),
  /** Another process goes on with it. */
  z.object({ type: z.literal('resumed'), ...at, run: z.string(), by: z.string() }),
  z.object({ type: z.literal('ended'), ...at, run: z.string() }),
]);

export type ManifestRecord = z.infer<typeof manifestRecordSchema>;
export type RunRecord = Extract<ManifestRecord, { type: 'run' }>;
/** A document that may or may not have arrived. */
export type PendingUpload = Extract<ManifestRecord, { type: 'sending' }>;
export type SentDocument = Extract<ManifestRecord, { type: 'sent' }>;

/** The records of a manifest's text in order. A torn or foreign line is passed over. Never throws. */
export function* readRecords(text: string): Generator<ManifestRecord, void, void> {
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const parsed = manifestRecordSchema.safeParse(parseJson(line));
    if (parsed.success) yield parsed.data;
  }
}

/** By which one tells later whether the document was replaced. */
export function replacedBy({ replaces }: { replaces?: DocumentRecord }): Pick<RunItem, 'replaces'> {
  if (!replaces) return {};
  const { id, uploadFileId } = replaces;
  return { replaces: { id, ...(uploadFileId !== undefined && { uploadFileId }) } };
}
