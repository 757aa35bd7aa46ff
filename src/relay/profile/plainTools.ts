import { asObject, type JsonObject } from '../../base/json.ts';
import type { ToolDefinition } from '../messages.ts';

/** OpenAI's limits. */
const mostTools = 128;
const longestDescription = 1024;
const acceptedName = /^[a-zA-Z0-9_-]{1,64}$/;
const deepest = 8;

/** JSON Schema keywords that every vendor knows; Gemini refuses all others. */
const copied = ['type', 'description', 'required', 'enum', 'minimum', 'maximum', 'minItems', 'maxItems'];

/** For vendors that refuse long descriptions, unusual names or many tools; excess tools are dropped from the end. */
export function plainTools(tools: readonly ToolDefinition[]): ToolDefinition[] {
  const accepted = tools.filter(({ name }) => acceptedName.test(name)).slice(0, mostTools);
  return accepted.map(({ name, description, parameters }) => ({
    name,
    description: description.slice(0, longestDescription),
    parameters: { type: 'object', properties: {}, ...plainSchema(parameters, parameters, 0) },
  }));
}

function plainSchema(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  if (depth > deepest) return {};
  const target = referred(schema['$ref'], root);
  if (target) return plainSchema(target, root, depth + 1);
  const inner = (value: unknown) => plainSchema(asObject(value) ?? {}, root, depth + 1);
  const properties = asObject(schema['properties']);
  const choices = schema['anyOf'] ?? schema['oneOf'];
  const items = asObject(schema['items']);
  return {
    ...Object.fromEntries(
      copied.filter((word) => schema[word] !== undefined).map((word) => [word, schema[word]]),
    ),
    ...(typeof schema['const'] === 'string' && { enum: [schema['const']] }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, inner(value)])),
    }),
    ...(items && { items: inner(items) }),
    ...(Array.isArray(choices) && { anyOf: choices.map(inner) }),
  };
}

function referred(reference: unknown, root: JsonObject): JsonObject | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  const path = reference.slice(2).split('/');
  return path.reduce<JsonObject | undefined>((schema, key) => asObject(schema?.[key]), root);
}
