import { asObject, parseJson } from '../../base/json.ts';
import type { JsonSchema } from '../../base/jsonSchema.ts';
import type { FormField } from '../app.ts';

const maxDepth = 8;
const maxEntries = 100;

/** Keywords that `schemaProblem` understands; all others are left to the server's own check. Some servers send text. */
export function readFieldSchema(value: unknown): Pick<FormField, 'jsonSchema'> {
  const schema = readSchema(typeof value === 'string' ? parseJson(value) : value, maxDepth);
  return schema && Object.keys(schema).length > 0 ? { jsonSchema: schema } : {};
}

function readSchema(value: unknown, depth: number): JsonSchema | undefined {
  const wire = asObject(value);
  if (!wire || depth === 0) return undefined;
  const types = [wire['type']].flat().filter((type) => typeof type === 'string');
  const { minimum, maximum, minLength, additionalProperties: others } = wire;
  const items = readSchema(wire['items'], depth - 1);
  const properties = Object.entries(asObject(wire['properties']) ?? {})
    .slice(0, maxEntries)
    .map(([name, each]): [string, JsonSchema] => [name, readSchema(each, depth - 1) ?? {}]);
  const additional = typeof others === 'boolean' ? undefined : readSchema(others, depth - 1);
  return {
    ...(types.length > 0 && { type: types }),
    ...(isPlainList(wire['enum']) && { enum: wire['enum'] }),
    ...(typeof minimum === 'number' && { minimum }),
    ...(typeof maximum === 'number' && { maximum }),
    ...(typeof minLength === 'number' && { minLength }),
    ...(items && { items }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(isPlainList(wire['required']) && { required: wire['required'].map(String) }),
    ...(additional && { additionalProperties: additional }),
  };
}

function isPlainList(value: unknown): value is (string | number | boolean)[] {
  return (
    Array.isArray(value) &&
    value.length <= maxEntries &&
    value.every((each) => ['string', 'number', 'boolean'].includes(typeof each))
  );
}
