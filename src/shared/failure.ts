import * as z from 'zod/mini';

/** What the one button of an error does. */
export const remedySchema = z.enum([
  'retry',
  'connectRelay',
  'openRelay',
  'selectModel',
  'newChat',
  'continue',
  'openSettings',
  'showLog',
  'addApp',
  'openPlatform',
]);
export type Remedy = z.infer<typeof remedySchema>;

/** An error as the page says it: what happened, why, and one button that fixes it. */
export const failureSchema = z.object({
  code: z.string(),
  message: z.string(),
  why: z.optional(z.string()),
  remedy: z.object({ type: remedySchema, label: z.string() }),
});
export type Failure = z.infer<typeof failureSchema>;
