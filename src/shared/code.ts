import * as z from 'zod/mini';

export const mostPathsAsked = 100;
export const longestPath = 300;

const codeActionSchema = z.enum(['apply', 'create', 'run']);
export type CodeAction = z.infer<typeof codeActionSchema>;

export const codeCommands = [
  z.object({
    type: z.literal('useCode'),
    id: z.string(),
    action: codeActionSchema,
    code: z.string(),
    language: z.string(),
  }),
  z.object({
    type: z.literal('findPaths'),
    paths: z.array(z.string().check(z.maxLength(longestPath))).check(z.maxLength(mostPathsAsked)),
  }),
] as const;
export type CodeUse = Extract<z.infer<(typeof codeCommands)[number]>, { type: 'useCode' }>;

export const codeEvents = [
  z.object({ type: z.literal('pathsFound'), found: z.array(z.string()), missing: z.array(z.string()) }),
] as const;
export type PathsFound = Omit<z.infer<(typeof codeEvents)[0]>, 'type'>;

export const locationSchema = z.object({
  path: z.string(),
  /** Lines and columns are 1-based. */
  line: z.optional(z.number()),
  column: z.optional(z.number()),
  endLine: z.optional(z.number()),
});

export type Location = z.infer<typeof locationSchema>;
