import * as z from 'zod/mini';
import { attachmentKinds } from '../chat/attachments/attachmentKinds.ts';
import { locationSchema } from './location.ts';

export type { AttachmentKind } from '../chat/attachments/attachmentKinds.ts';

const kindSchema = z.enum(attachmentKinds);

/** Something that goes with a message, as a chip. */
export const attachmentChipSchema = z.object({
  id: z.string(),
  kind: kindSchema,
  /** What the button that removes it names. */
  label: z.string(),
  /** "lines 1–40"; "reading…" while it is being read. */
  detail: z.optional(z.string()),
  /** "3.2 KB". */
  size: z.optional(z.string()),
  /** "about 800 tokens". */
  tokens: z.optional(z.string()),
  /** What of it is not sent, or is not certain. */
  notes: z.array(z.string()),
  /** It has secrets that are redacted, and `releaseSecrets` sends them all the same. */
  isRedacted: z.optional(z.boolean()),
  /** Why nothing of it is sent. */
  problem: z.optional(z.string()),
  /** Where it opens. */
  location: z.optional(locationSchema),
});
export type AttachmentChip = z.infer<typeof attachmentChipSchema>;

/** Something that can be attached by typing @. */
export const mentionOptionSchema = z.object({
  id: z.string(),
  /** `prompt`: a prompt file, offered after a slash. */
  kind: z.union([kindSchema, z.literal('prompt')]),
  label: z.string(),
  detail: z.optional(z.string()),
  /** Why it cannot be sent; choosing it gives a chip that says so. */
  problem: z.optional(z.string()),
});
export type MentionOption = z.infer<typeof mentionOptionSchema>;

/** A larger picture is not handed over: the host only says that it is too large. */
export const largestPictureBytes = 5 * 1024 * 1024;
/** A longer paste stays in the message. */
export const longestPastedText = 2_000_000;

/** An attached image, as it is sent: base64. */
const pictureSchema = z.object({
  /** Of its chip. */
  id: z.string(),
  base64: z.string().check(z.maxLength(Math.ceil(largestPictureBytes / 3) * 4)),
});
export type Picture = z.infer<typeof pictureSchema>;

/** Commands about what goes with the next message. */
export const attachmentCommands = [
  /** The newest query wins; it may be answered more than once, as more is found. */
  z.object({ type: z.literal('findMentions'), requestId: z.number(), query: z.string() }),
  z.object({ type: z.literal('attachMention'), optionId: z.string() }),
  /** Lets the user pick files. */
  z.object({ type: z.literal('attachFiles') }),
  z.object({
    type: z.literal('attachUris'),
    uris: z.array(z.string()),
    /** Names of what was dropped without a URI. */
    unplaced: z.array(z.string()),
  }),
  z.object({
    type: z.literal('attachImage'),
    name: z.string(),
    mimeType: z.string(),
    bytes: z.number(),
    /** Empty for one that is too large. */
    base64: z.string().check(z.maxLength(Math.ceil(largestPictureBytes / 3) * 4)),
  }),
  z.object({
    type: z.literal('attachText'),
    name: z.string(),
    text: z.string().check(z.maxLength(longestPastedText)),
  }),
  z.object({ type: z.literal('removeAttachment'), id: z.string() }),
  /** Sends with the next message what looks like a secret in it. */
  z.object({ type: z.literal('releaseSecrets'), id: z.string() }),
  /** Wants an attached image, also one that was sent, to draw a small picture of it. */
  z.object({ type: z.literal('loadPicture'), id: z.string() }),
  /** Puts a text that was attached into the message instead. */
  z.object({ type: z.literal('unpackAttachment'), id: z.string() }),
] as const;
export type AttachmentCommand = z.infer<(typeof attachmentCommands)[number]>;

/** Events about what goes with the next message. */
export const attachmentEvents = [
  /** Something that was to go with it cannot, and its chip says so: the message was not sent and is still a draft. */
  z.object({ type: z.literal('messageHeld') }),
  z.object({
    type: z.literal('mentionsFound'),
    requestId: z.number(),
    options: z.array(mentionOptionSchema),
    isComplete: z.boolean(),
    /** Why not all files are among them. */
    note: z.optional(z.string()),
  }),
  z.object({ type: z.literal('attachmentsChanged'), attachments: z.array(attachmentChipSchema) }),
  z.object({ type: z.literal('pictureLoaded'), picture: pictureSchema }),
] as const;
