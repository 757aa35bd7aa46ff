import type * as z from 'zod/mini';

type MessageSchema = z.ZodMiniObject<{ type: z.ZodMiniLiteral<string> }>;

/** Whether a message, which was parsed when it came, is one of those that belong together. */
export function isOneOf<M extends { type: string }, S extends readonly MessageSchema[]>(
  schemas: S,
  message: M,
): message is Extract<M, { type: z.infer<S[number]>['type'] }> {
  return schemas.some(({ shape }) => shape.type.safeParse(message.type).success);
}
