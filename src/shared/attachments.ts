import * as z from 'zod/mini';
import { attachmentKinds } from '../chat/attachments/attachmentKinds.ts';
import { locationSchema } from './code.ts';

export type { AttachmentKind } from '../chat/attachments/attachmentKinds.ts';

const kindSchema = z.enum(attachmentKinds);

/** The message that is being edited, by its id; absent for the message box. */
export const inBox = { box: z.optional(z.string()) };

export const attachmentChipSchema = z.object({
  id: z.string(),
  kind: kindSchema,
  label: z.string(),
  /** `detail`, `size` and `tokens` are texts: "lines 1–40" or "reading…", "3.2 KB", "about 800 tokens". */
  detail: z.optional(z.string()),
  size: z.optional(z.string()),
  tokens: z.optional(z.string()),
  /** Part that is not sent, or may not be. */
  notes: z.array(z.string()),
  /** True if it holds redacted secrets, which `releaseSecrets` would send. */
  isRedacted: z.optional(z.boolean()),
  problem: z.optional(z.string()),
  location: z.optional(locationSchema),
});
export type AttachmentChip = z.infer<typeof attachmentChipSchema>;

const mentionOptionSchema = z.object({
  id: z.string(),
  kind: z.union([kindSchema, z.literal('prompt')]),
  label: z.string(),
  detail: z.optional(z.string()),
  /** Reason why it cannot be sent; choosing it adds a chip with that reason. */
  problem: z.optional(z.string()),
});
export type MentionOption = z.infer<typeof mentionOptionSchema>;

/** Larger pictures are refused by the host unread. */
export const largestPictureBytes = 5 * 1024 * 1024;
/** Longer pastes stay in the message. */
export const longestPastedText = 2_000_000;

const pictureSchema = z.object({
  id: z.string(),
  base64: z.string().check(z.maxLength(Math.ceil(largestPictureBytes / 3) * 4)),
});
export type Picture = z.infer<typeof pictureSchema>;

export const attachmentCommands = [
  /** Searches for mentions. The newest query wins and may be answered several times. */
  z.object({ ...inBox, type: z.literal('findMentions'), requestId: z.number(), query: z.string() }),
  z.object({ ...inBox, type: z.literal('attachMention'), optionId: z.string() }),
  z.object({ ...inBox, type: z.literal('attachFiles') }),
  z.object({ ...inBox, type: z.literal('attachPage'), address: z.string() }),
  z.object({
    ...inBox,
    type: z.literal('attachUris'),
    uris: z.array(z.string()),
    unplaced: z.array(z.string()),
  }),
  z.object({
    ...inBox,
    type: z.literal('attachImage'),
    name: z.string(),
    mimeType: z.string(),
    bytes: z.number(),
    /** Empty for an oversized image. */
    base64: z.string().check(z.maxLength(Math.ceil(largestPictureBytes / 3) * 4)),
  }),
  z.object({
    ...inBox,
    type: z.literal('attachText'),
    name: z.string(),
    text: z.string().check(z.maxLength(longestPastedText)),
  }),
  z.object({ ...inBox, type: z.literal('removeAttachment'), id: z.string() }),
  /** Sends an attachment's likely secrets with the next message. */
  z.object({ ...inBox, type: z.literal('releaseSecrets'), id: z.string() }),
  z.object({ type: z.literal('loadPicture'), id: z.string() }),
  z.object({ ...inBox, type: z.literal('unpackAttachment'), id: z.string() }),
] as const;
export type AttachmentCommand = z.infer<(typeof attachmentCommands)[number]>;

export const attachmentEvents = [
  /** The message was held back, still as a draft, because an attachment cannot be sent; its chip says why. */
  z.object({ ...inBox, type: z.literal('messageHeld') }),
  z.object({
    type: z.literal('mentionsFound'),
    requestId: z.number(),
    options: z.array(mentionOptionSchema),
    isComplete: z.boolean(),
    note: z.optional(z.string()),
  }),
  z.object({ ...inBox, type: z.literal('attachmentsChanged'), attachments: z.array(attachmentChipSchema) }),
  z.object({ type: z.literal('pictureLoaded'), picture: pictureSchema }),
] as const;
