import { asObject } from './json.ts';

/** The part of JSON Schema that settings in `package.json` use. */
export interface JsonSchema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  items?: JsonSchema;
  required?: readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  /** Unknown properties are accepted unless this is a schema. */
  additionalProperties?: boolean | JsonSchema;
  oneOf?: readonly JsonSchema[];
}

export function schemaProblem(schema: JsonSchema, value: unknown, path = ''): string | undefined {
  const found = ownProblem(schema, value);
  if (found !== undefined) return path ? `${found} at ${path}` : found;
  if (schema.oneOf) {
    const problems = schema.oneOf.map((each) => schemaProblem(each, value, path));
    if (!problems.includes(undefined)) return problems.join(', or ');
  }
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return first(value.map((each, index) => schemaProblem(items, each, `${path}[${index}]`)));
  }
  const { properties = {}, additionalProperties } = schema;
  const others = typeof additionalProperties === 'object' ? additionalProperties : {};
  return first(
    Object.entries(asObject(value) ?? {}).map(([name, each]) =>
      schemaProblem(
        (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? others,
        each,
        path ? `${path}.${name}` : name,
      ),
    ),
  );
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

function ownProblem(schema: JsonSchema, value: unknown): string | undefined {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, minLength = 0 } = schema;
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (types && !types.some((type) => isOfType(value, type))) return `expected ${types.join(' or ')}`;
  if (schema.enum && !schema.enum.includes(value)) return `expected one of ${schema.enum.join(', ')}`;
  if ('const' in schema && schema.const !== value) return `expected ${String(schema.const)}`;
  if (typeof value === 'number') {
    if (value < minimum || value <= exclusiveMinimum) return 'too small';
    return value > maximum ? 'too large' : undefined;
  }
  if (typeof value === 'string') return value.length < minLength ? 'too short' : undefined;
  const missing = schema.required?.find((name) => !Object.hasOwn(asObject(value) ?? {}, name));
  return missing === undefined ? undefined : `expected a property ${missing}`;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return asObject(value) !== undefined;
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
