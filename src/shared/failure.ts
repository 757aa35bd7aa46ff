import * as z from 'zod/mini';

export const remedySchema = z.enum([
  'retry',
  'connectRelay',
  'openRelay',
  'selectModel',
  'editMessage',
  'newChat',
  'editInputs',
  'compact',
  'continue',
  'openSettings',
  'openProxySettings',
  'openNetworkSettings',
  'showLog',
  'addApp',
  'changeAppKey',
  'signInAgain',
  'openPlatform',
  'restoreBack',
  'diagnoseConnection',
]);
export type Remedy = z.infer<typeof remedySchema>;

export const failureSchema = z.object({
  code: z.string(),
  message: z.string(),
  advice: z.optional(z.string()),
  why: z.optional(z.string()),
  details: z.optional(z.string()),
  remedy: z.object({ type: remedySchema, label: z.string() }),
  second: z.optional(z.object({ type: remedySchema, label: z.string() })),
});
export type Failure = z.infer<typeof failureSchema>;
