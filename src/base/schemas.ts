import * as z from 'zod/mini';

/** What the schema reads, or the fallback where it reads nothing. zod's own `catch` would bring all of zod's helpers along. */
export function orElse<T extends z.ZodMiniType>(schema: T, fallback: z.output<T>): z.ZodMiniCatch<T> {
  return new z.ZodMiniCatch({
    type: 'catch',
    innerType: schema,
    catchValue: () => fallback,
  }) as z.ZodMiniCatch<T>;
}

/** A field that may be missing, null or of another kind than agreed: then it is undefined. */
export function loosely<T extends z.ZodMiniType>(schema: T): z.ZodMiniCatch<z.ZodMiniOptional<T>> {
  return orElse(z.optional(schema), undefined);
}
