import fc from 'fast-check';
import type * as z from 'zod/mini';

/** Used parts of a zod schema's definition; zod has a separate type for each kind. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  element?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  options?: readonly z.ZodMiniType[];
  items?: readonly z.ZodMiniType[];
  keyType?: z.ZodMiniType;
  valueType?: z.ZodMiniType;
  in?: z.ZodMiniType;
  values?: readonly unknown[];
  entries?: Readonly<Record<string, string>>;
  checks?: readonly { _zod: { def: object } }[];
}

const numbers = fc.oneof(
  fc.nat(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1, 1.5),
);

/** Accepted values, derived from the definition, so additions are tried as well. @param texts its texts */
export function valuesOf(
  schema: z.ZodMiniType,
  texts: fc.Arbitrary<string> = fc.string(),
): fc.Arbitrary<fc.JsonValue> {
  const made = fromDefinition(schema.def, texts);
  // Limits of length and range are ignored: values that break them are made again.
  return made.filter((value) => schema.safeParse(value).success);
}

function fromDefinition(definition: Definition, texts: fc.Arbitrary<string>): fc.Arbitrary<fc.JsonValue> {
  const of = (inner: z.ZodMiniType | undefined) =>
    inner ? valuesOf(inner, texts) : fc.jsonValue({ maxDepth: 1 });
  switch (definition.type) {
    case 'object':
      return fromShape(definition.shape ?? {}, of);
    case 'string': {
      // Arbitrary texts would hardly ever match.
      const rules = definition.checks?.map(({ _zod }): { pattern?: unknown } => _zod.def);
      const pattern = rules?.find((rule) => rule.pattern)?.pattern;
      return pattern instanceof RegExp ? fc.stringMatching(pattern) : texts;
    }
    case 'number':
      return numbers;
    case 'boolean':
      return fc.boolean();
    case 'literal':
      return fc.constantFrom(...((definition.values ?? []) as fc.JsonValue[]));
    case 'enum':
      return fc.constantFrom(...Object.values(definition.entries ?? {}));
    case 'array':
      return fc.array(of(definition.element), { maxLength: 3 });
    case 'tuple':
      return fc.tuple(...(definition.items ?? []).map(of));
    case 'record':
      return fc.dictionary(of(definition.keyType) as fc.Arbitrary<string>, of(definition.valueType), {
        maxKeys: 3,
        noNullPrototype: true,
      });
    case 'union':
      return fc.oneof(...(definition.options ?? []).map(of));
    case 'nullable':
      return fc.oneof(of(definition.innerType), fc.constant(null));
    case 'optional':
      return of(definition.innerType);
    case 'pipe':
      return of(definition.in);
    case 'unknown':
      return fc.jsonValue({ maxDepth: 1 });
    default:
      throw new Error(`Values of a schema of type ${definition.type} are not made.`);
  }
}

function fromShape(
  shape: Record<string, z.ZodMiniType>,
  of: (inner: z.ZodMiniType) => fc.Arbitrary<fc.JsonValue>,
): fc.Arbitrary<fc.JsonValue> {
  const fields = Object.fromEntries(Object.entries(shape).map(([name, inner]) => [name, of(inner)]));
  const isOptional = (name: string) => shape[name]?.def.type === 'optional';
  const requiredKeys = Object.keys(shape).filter((name) => !isOptional(name));
  return fc.record(fields, { requiredKeys, noNullPrototype: true });
}
