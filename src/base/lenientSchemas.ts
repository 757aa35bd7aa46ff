import * as z from 'zod/mini';

/** Falls back to a value if the schema doesn't match. zod's own `catch` would load all of zod's helpers. */
export function orElse<T extends z.ZodMiniType>(schema: T, fallback: z.output<T>): z.ZodMiniCatch<T> {
  return new z.ZodMiniCatch({
    type: 'catch',
    innerType: schema,
    catchValue: () => fallback,
  }) as z.ZodMiniCatch<T>;
}

/** An optional field that is undefined if it is null or invalid. */
export function loosely<T extends z.ZodMiniType>(schema: T): z.ZodMiniCatch<z.ZodMiniOptional<T>> {
  return orElse(z.optional(schema), undefined);
}
