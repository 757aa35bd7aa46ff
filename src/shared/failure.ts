import * as z from 'zod/mini';

/** What a button of an error does. */
export const remedySchema = z.enum([
  'retry',
  'connectRelay',
  'openRelay',
  'selectModel',
  'editMessage',
  'newChat',
  'compact',
  'continue',
  'openSettings',
  'openProxySettings',
  'openNetworkSettings',
  'showLog',
  'addApp',
  'changeAppKey',
  'openPlatform',
  'restoreBack',
  'diagnoseConnection',
]);
export type Remedy = z.infer<typeof remedySchema>;

/** An error as the page says it: what happened, what to do, why, and one button that fixes it; finding out more comes second. */
export const failureSchema = z.object({
  code: z.string(),
  /** What happened, in one sentence. */
  message: z.string(),
  /** What to do about it. */
  advice: z.optional(z.string()),
  /** What the server said. */
  why: z.optional(z.string()),
  /** Facts for the server's operator and for who looks closer, a line each; to unfold. */
  details: z.optional(z.string()),
  remedy: z.object({ type: remedySchema, label: z.string() }),
  second: z.optional(z.object({ type: remedySchema, label: z.string() })),
});
export type Failure = z.infer<typeof failureSchema>;
