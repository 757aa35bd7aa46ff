import * as z from 'zod/mini';
import { attachmentKinds } from './attachmentKinds.ts';

/** Why nothing of an attachment is sent, to each in their words. */
const refusalSchema = z.object({ forModel: z.string(), forUser: z.string() });

/** What the user put beside a message, as it is sent and stored with the conversation. */
export const attachmentSchema = z.object({
  kind: z.enum(attachmentKinds),
  /** Short, for people: a file's name, "Problems". */
  label: z.string(),
  /** As models and people name it. */
  path: z.optional(z.string()),
  /** 1-based; `total` when not all of the file is there. */
  lines: z.optional(z.object({ first: z.number(), last: z.number(), total: z.optional(z.number()) })),
  /** What the model reads. */
  text: z.optional(z.string()),
  image: z.optional(z.object({ mimeType: z.string(), data: z.string(), bytes: z.number() })),
  /** A file that is no text, for those that accept files: apps of the platform. Without a path it is only there by now. */
  upload: z.optional(z.object({ realPath: z.optional(z.string()), bytes: z.optional(z.number()) })),
  /** How many secrets are redacted in the text. */
  redacted: z.optional(z.number()),
  /** How many are in it because the user decided to send them. */
  unredacted: z.optional(z.number()),
  /** What of it was blocked or left out, in the user's language. */
  notes: z.optional(z.array(z.string())),
  /** Then there is neither text nor image. */
  refusal: z.optional(refusalSchema),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** Where an attachment comes from: enough to read it again. Saved with the draft, so it is read from disk. */
export const attachmentSourceSchema = z.discriminatedUnion('type', [
  /** A file, or a folder if that is what lies there. */
  z.object({ type: z.literal('path'), path: z.string(), isEditor: z.optional(z.boolean()) }),
  z.object({
    type: z.literal('range'),
    path: z.string(),
    startLine: z.number(),
    endLine: z.number(),
    /** For a symbol. */
    name: z.optional(z.string()),
  }),
  z.object({ type: z.literal('problems'), path: z.optional(z.string()) }),
  z.object({ type: z.literal('changes') }),
  z.object({
    type: z.literal('image'),
    name: z.string(),
    mimeType: z.string(),
    bytes: z.number(),
    /** Base64; empty when it was too large to be handed over, or was not saved. */
    data: z.string(),
  }),
  z.object({ type: z.literal('text'), name: z.string(), text: z.string() }),
  /** Something dropped that has a name but no place, so that nothing can be judged. */
  z.object({ type: z.literal('unplaced'), name: z.string() }),
]);
export type AttachmentSource = z.infer<typeof attachmentSourceSchema>;
