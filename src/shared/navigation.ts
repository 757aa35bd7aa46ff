import * as z from 'zod/mini';

/** An occurrence of a text in the conversation: the `nth` in its entry, counted from 0. */
export const occurrenceSchema = z.object({ id: z.string(), nth: z.number() });

/** What of the conversation is looked for, beyond what the page holds of it. */
export const navigationCommands = [
  z.object({
    type: z.literal('findText'),
    requestId: z.number(),
    query: z.string(),
    /** The one after or before `from`; `nearest`: `from` itself, or the first after it. */
    step: z.enum(['nearest', 'next', 'previous']),
    /** Absent: the beginning of the conversation. */
    from: z.optional(occurrenceSchema),
  }),
  /** The message of the user before or after the entry at this place. */
  z.object({ type: z.literal('findMessage'), from: z.number(), direction: z.enum(['previous', 'next']) }),
  /** What the user wrote so many messages before the last one. */
  z.object({ type: z.literal('recallMessage'), back: z.number() }),
] as const;

export const navigationEvents = [
  z.object({
    type: z.literal('textFound'),
    requestId: z.number(),
    total: z.number(),
    /** Absent where there is none. `number` counts from 1, `index` is the place of the entry. */
    found: z.optional(z.extend(occurrenceSchema, { number: z.number(), index: z.number() })),
  }),
  /** Look for this text, beginning with an entry. */
  z.object({ type: z.literal('findOpened'), query: z.string(), id: z.string() }),
  z.object({ type: z.literal('messageFound'), index: z.number(), id: z.string() }),
  z.object({ type: z.literal('messageRecalled'), back: z.number(), text: z.string() }),
] as const;

export type NavigationCommand = z.infer<(typeof navigationCommands)[number]>;
export type FindText = z.infer<(typeof navigationCommands)[0]>;
export type TextFound = z.infer<(typeof navigationEvents)[0]>;
export type FindOpened = z.infer<(typeof navigationEvents)[1]>;
