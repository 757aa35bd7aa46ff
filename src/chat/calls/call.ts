import * as z from 'zod/mini';

/** A tool call, as run, approved, stored and shown. `id` is ours and unique; `callId` is the model's. */
export const callSchema = z.object({
  id: z.string(),
  callId: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** Vendor-specific fields, sent back to the same model only. */
  extra: z.optional(z.record(z.string(), z.unknown())),
  inputText: z.optional(z.string()),
  /** The reason why the call can't be run by any tool, worded for the model. */
  problem: z.optional(z.string()),
  title: z.optional(z.string()),
  /** Parsed from the answer's text, which may be a mere example: only reads run without approval. */
  isText: z.optional(z.literal(true)),
});
export type Call = z.infer<typeof callSchema>;
