import * as z from 'zod/mini';

export const answerPictureSchema = z.object({
  file: z.string(),
  detail: z.string(),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
});
export type AnswerPicture = z.infer<typeof answerPictureSchema>;

/** Base64 length of the largest picture in an answer. */
const longestPicture = 28_000_000;

const ofAnswer = { id: z.string(), file: z.string() };

/** Commands about pictures in answers. A page names a shown picture, never a path. */
export const pictureCommands = [
  z.object({ type: z.literal('loadAnswerPicture'), ...ofAnswer }),
  z.object({ type: z.literal('openAnswerPicture'), ...ofAnswer }),
  z.object({ type: z.literal('saveAnswerPicture'), ...ofAnswer }),
] as const;
export type PictureCommand = z.infer<(typeof pictureCommands)[number]>;

export const pictureEvents = [
  z.object({
    type: z.literal('answerPicturesChanged'),
    id: z.string(),
    pictures: z.array(answerPictureSchema),
  }),
  z.object({
    type: z.literal('answerPictureLoaded'),
    file: z.string(),
    /** Absent if the picture is gone or has too many pixels. */
    base64: z.optional(z.string().check(z.maxLength(longestPicture))),
  }),
] as const;
