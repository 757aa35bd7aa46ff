import * as z from 'zod/mini';

const termsSchema = z.object({
  when: z.enum(['commit', 'quiet']),
  branch: z.optional(z.string()),
  maxFiles: z.number(),
  maxBytes: z.number(),
  /** Values of `knowledge.maxFileSizeMb` and `knowledge.exclude` at the time. */
  maxFileSizeBytes: z.number(),
  exclude: z.array(z.string()),
});

/** Terms that the user confirmed for a folder in step. Anything beyond asks. */
export type SyncTerms = z.infer<typeof termsSchema>;

const autoSyncSchema = z.object({
  terms: termsSchema,
  isPaused: z.optional(z.boolean()),
  commit: z.optional(z.string()),
});
export type AutoSync = z.infer<typeof autoSyncSchema>;

/** Undefined for what can't be understood: then the folder is only synced by hand. */
export function readAutoSync(stored: unknown): AutoSync | undefined {
  const parsed = autoSyncSchema.safeParse(stored);
  return parsed.success ? parsed.data : undefined;
}

export type SyncLimits = Pick<SyncTerms, 'maxFiles' | 'maxBytes' | 'maxFileSizeBytes' | 'exclude'>;

export function areAsConfirmed(confirmed: SyncLimits, now: SyncLimits): boolean {
  return limitsText(confirmed) === limitsText(now);
}

function limitsText({ maxFiles, maxBytes, maxFileSizeBytes, exclude }: SyncLimits): string {
  return JSON.stringify([maxFiles, maxBytes, maxFileSizeBytes, exclude.toSorted()]);
}
