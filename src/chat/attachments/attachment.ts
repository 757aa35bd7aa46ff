import * as z from 'zod/mini';
import { attachmentKinds } from './attachmentKinds.ts';

const refusalSchema = z.object({ forModel: z.string(), forUser: z.string() });

export const attachmentSchema = z.object({
  kind: z.enum(attachmentKinds),
  label: z.string(),
  path: z.optional(z.string()),
  /** 1-based; `total` is set if the file has more lines. */
  lines: z.optional(z.object({ first: z.number(), last: z.number(), total: z.optional(z.number()) })),
  text: z.optional(z.string()),
  image: z.optional(z.object({ mimeType: z.string(), data: z.string(), bytes: z.number() })),
  /** A binary file for platform apps. Without a path, the file exists only on the platform. */
  upload: z.optional(z.object({ realPath: z.optional(z.string()), bytes: z.optional(z.number()) })),
  redacted: z.optional(z.number()),
  unredacted: z.optional(z.number()),
  notes: z.optional(z.array(z.string())),
  /** If set, there is neither text nor image. */
  refusal: z.optional(refusalSchema),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** Origin of an attachment, sufficient to read it again. Saved with the draft, hence parsed. */
export const attachmentSourceSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('path'), path: z.string(), isEditor: z.optional(z.boolean()) }),
  z.object({
    type: z.literal('range'),
    path: z.string(),
    startLine: z.number(),
    endLine: z.number(),
    name: z.optional(z.string()),
  }),
  z.object({ type: z.literal('problems'), path: z.optional(z.string()) }),
  z.object({ type: z.literal('changes') }),
  z.object({
    type: z.literal('image'),
    name: z.string(),
    mimeType: z.string(),
    bytes: z.number(),
    /** Base64; empty if the picture was too large to pass on or wasn't saved. */
    data: z.string(),
  }),
  z.object({
    type: z.literal('text'),
    name: z.string(),
    /** Empty while it is read, and where the conversation holds it. */
    text: z.string(),
    of: z.optional(z.enum(['terminal', 'page'])),
    isCut: z.optional(z.boolean()),
  }),
  /** Dropped without a location, so the file policy can't judge it. */
  z.object({ type: z.literal('unplaced'), name: z.string() }),
]);
export type AttachmentSource = z.infer<typeof attachmentSourceSchema>;
export type TextSource = Extract<AttachmentSource, { type: 'text' }>;
