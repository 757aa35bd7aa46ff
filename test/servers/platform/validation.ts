import * as z from 'zod/mini';
import type { RecordedRequest } from '../http/recordedRequest.ts';
import { PlatformRefusal, refusal } from './platformErrors.ts';
import type { ServerVersion } from './serverVersion.ts';

export interface FieldMistake {
  field: string;
  /** The newest framework's message, such as `Input should be 'a' or 'b'`. */
  reason: string;
  /** The newest framework's error type. */
  type: 'missing' | 'literal_error' | 'string_too_long' | 'string_too_short' | 'value_error';
  input: unknown;
}

/** A JSON body by its schema; `model` is its name in the newest versions' refusals. */
export function readJsonBody<T>(
  request: RecordedRequest,
  version: ServerVersion,
  model: string,
  schema: z.ZodMiniType<T>,
): T {
  if (!/\bjson\b/i.test(request.headers['content-type'] ?? '')) {
    throw refusal(
      415,
      'unsupported_media_type',
      "Did not attempt to load JSON data because the request Content-Type was not 'application/json'.",
    );
  }
  if (typeof request.json !== 'object' || request.json === null) {
    throw refusal(
      400,
      'bad_request',
      'Failed to decode JSON object: Expecting value: line 1 column 1 (char 0)',
    );
  }
  return check(request.json, version, model, schema);
}

function check<T>(value: unknown, version: ServerVersion, model: string, schema: z.ZodMiniType<T>): T {
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  throw invalidFields(
    version,
    model,
    result.error.issues.map((issue) => toMistake(issue)),
  );
}

/** The three shapes in which versions refuse a field. */
export function invalidFields(
  version: ServerVersion,
  model: string,
  mistakes: readonly FieldMistake[],
): PlatformRefusal {
  if (version.isAtLeast('1.11')) {
    const count = mistakes.length === 1 ? '1 validation error' : `${mistakes.length} validation errors`;
    const message = [`${count} for ${model}`, ...mistakes.map(pydanticLines)].join('\n');
    return refusal(400, 'invalid_param', message);
  }
  if (version.isAtLeast('1.8')) {
    const errors = Object.fromEntries(mistakes.map((mistake) => [mistake.field, restxText(mistake)]));
    return new PlatformRefusal({ status: 400, body: { errors, message: 'Input payload validation failed' } });
  }
  const [first] = mistakes;
  const message = first ? restfulText(first) : '';
  return new PlatformRefusal({
    status: 400,
    body: { code: 'invalid_param', message, params: first?.field ?? '' },
  });
}

function pydanticLines({ field, reason, type, input }: FieldMistake): string {
  const shown = typeof input === 'string' ? `'${input}'` : JSON.stringify(input ?? null);
  return (
    `${field}\n  ${reason} [type=${type}, input_value=${shown}, input_type=${pythonType(input)}]\n` +
    `    For further information visit https://errors.pydantic.dev/2.12/v/${type}`
  );
}

function restxText({ field, reason, type, input }: FieldMistake): string {
  if (type === 'missing') return 'Missing required parameter in the JSON body';
  if (type === 'literal_error') return `The value '${String(input)}' is not a valid choice for '${field}'.`;
  return reason;
}

function restfulText({ reason, type, input }: FieldMistake): string {
  if (type === 'missing') return 'Missing required parameter in the JSON body';
  return type === 'literal_error' ? `${String(input)} is not a valid choice` : reason;
}

function pythonType(value: unknown): string {
  if (typeof value === 'string') return 'str';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'list';
  return value === null || value === undefined ? 'NoneType' : 'dict';
}

function toMistake(issue: z.core.$ZodIssue): FieldMistake {
  const field = issue.path.join('.');
  const { input } = issue;
  if (input === undefined && issue.code !== 'unrecognized_keys') {
    return { field, reason: 'Field required', type: 'missing', input: {} };
  }
  switch (issue.code) {
    case 'invalid_value': {
      const options = issue.values.map((value) => `'${String(value)}'`).join(' or ');
      return { field, reason: `Input should be ${options}`, type: 'literal_error', input };
    }
    case 'too_big':
      return {
        field,
        reason: `String should have at most ${issue.maximum} characters`,
        type: 'string_too_long',
        input,
      };
    case 'too_small':
      return {
        field,
        reason: `String should have at least ${issue.minimum} characters`,
        type: 'string_too_short',
        input,
      };
    default:
      return { field, reason: `Value error, ${issue.message}`, type: 'value_error', input };
  }
}
