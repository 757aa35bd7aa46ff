import * as z from 'zod/mini';

/** Occurrence of a text: the `nth` in its entry, 0-based. */
const occurrenceSchema = z.object({ id: z.string(), nth: z.number() });

export const navigationCommands = [
  z.object({
    type: z.literal('findText'),
    requestId: z.number(),
    query: z.string(),
    /** The occurrence after or before `from`; `nearest`: `from` itself or the first after it. */
    step: z.enum(['nearest', 'next', 'previous']),
    /** Absent: the beginning of the conversation. */
    from: z.optional(occurrenceSchema),
  }),
  z.object({ type: z.literal('findMessage'), from: z.number(), direction: z.enum(['previous', 'next']) }),
  /** Recalls the user message `back` places before the last. */
  z.object({ type: z.literal('recallMessage'), back: z.number() }),
] as const;

export const navigationEvents = [
  z.object({
    type: z.literal('textFound'),
    requestId: z.number(),
    total: z.number(),
    /** Absent without an occurrence. `number` is 1-based, `index` the entry's place. */
    found: z.optional(z.extend(occurrenceSchema, { number: z.number(), index: z.number() })),
  }),
  z.object({ type: z.literal('findOpened'), query: z.string(), id: z.string() }),
  z.object({ type: z.literal('messageFound'), index: z.number(), id: z.string() }),
  z.object({ type: z.literal('messageRecalled'), back: z.number(), text: z.string() }),
] as const;

export type NavigationCommand = z.infer<(typeof navigationCommands)[number]>;
export type FindText = z.infer<(typeof navigationCommands)[0]>;
export type TextFound = z.infer<(typeof navigationEvents)[0]>;
export type FindOpened = z.infer<(typeof navigationEvents)[1]>;
