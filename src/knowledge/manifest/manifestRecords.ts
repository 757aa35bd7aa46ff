import * as z from 'zod/mini';
import { parseJson } from '../../base/json.ts';
import { processRuleSchema } from '../../platform/documents/processRule.ts';
import type { DocumentRecord } from '../../platform/records.ts';

const linesSchema = z.object({ start: z.number(), end: z.number() });

const contentFields = {
  name: z.string(),
  path: z.string(),
  lines: z.optional(linesSchema),
  /** SHA-256 of the file's bytes, or of the selected text. */
  hash: z.string(),
  size: z.number(),
  mtimeMs: z.optional(z.number()),
  /** A commit whose version of the file is what was sent, byte for byte but for line ends. */
  commit: z.optional(z.string()),
};

const platformDocumentSchema = z.object({ id: z.string(), uploadFileId: z.optional(z.string()) });

const outcomeSchema = z.object({
  type: z.enum(['indexed', 'empty', 'failed', 'paused', 'disabled', 'archived', 'gone']),
  segments: z.optional(z.number()),
  reason: z.optional(z.string()),
  isNews: z.optional(z.boolean()),
});
export type Outcome = z.infer<typeof outcomeSchema>;

const runItemSchema = z.object({
  ...contentFields,
  how: z.enum(['file', 'text']),
  realPath: z.string(),
  replaces: z.optional(platformDocumentSchema),
});
export type RunItem = z.infer<typeof runItemSchema>;

const runRemovalSchema = z.object({
  documentId: z.string(),
  name: z.string(),
  path: z.string(),
  reason: z.pipe(
    // `left-out` until 0.1.0.
    z.enum(['removed', 'renamed', 'skipped', 'left-out']),
    z.transform((reason) => (reason === 'left-out' ? 'skipped' : reason)),
  ),
});

const runSettingsSchema = z.object({
  technique: z.enum(['high_quality', 'economical']),
  processRule: processRuleSchema,
});

const at = { at: z.number() };

/** A line of a manifest. Intentions are written before the action, results after it. */
export const manifestRecordSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('run'),
    ...at,
    run: z.string(),
    datasetName: z.string(),
    by: z.string(),
    settings: runSettingsSchema,
    items: z.array(runItemSchema),
    removals: z.array(runRemovalSchema),
    /** Its rest isn't resumed: the folder is looked at again. */
    isAutomatic: z.optional(z.boolean()),
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
    /** Absent if only the document list showed its arrival. */
    batch: z.optional(z.string()),
    outcome: z.optional(outcomeSchema),
    announcedBy: z.optional(z.string()),
  }),
  z.object({ type: z.literal('refused'), ...at, name: z.string() }),
  z.object({ type: z.literal('outcome'), ...at, documentId: z.string(), outcome: outcomeSchema }),
  /** The first process to write it tells the user how indexing of these ended. */
  z.object({ type: z.literal('announced'), ...at, documentIds: z.array(z.string()), by: z.string() }),
  z.object({ type: z.literal('removed'), ...at, documentId: z.string() }),
  z.object({ type: z.literal('resumed'), ...at, run: z.string(), by: z.string() }),
  z.object({ type: z.literal('ended'), ...at, run: z.string() }),
]);

export type ManifestRecord = z.infer<typeof manifestRecordSchema>;
export type RunRecord = Extract<ManifestRecord, { type: 'run' }>;
export type PendingUpload = Extract<ManifestRecord, { type: 'sending' }>;
export type SentDocument = Extract<ManifestRecord, { type: 'sent' }>;

export function* readRecords(text: string): Generator<ManifestRecord, void, void> {
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const parsed = manifestRecordSchema.safeParse(parseJson(line));
    if (parsed.success) yield parsed.data;
  }
}

export function replacedBy({ replaces }: { replaces?: DocumentRecord }): Pick<RunItem, 'replaces'> {
  if (!replaces) return {};
  const { id, uploadFileId } = replaces;
  return { replaces: { id, ...(uploadFileId !== undefined && { uploadFileId }) } };
}
