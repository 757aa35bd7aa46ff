import type { JsonSchema } from '../../base/jsonSchema.ts';
import { loosely } from '../../base/lenientSchemas.ts';
import * as z from 'zod/mini';
import { megabyte } from '../../base/text/formatSize.ts';
import { asObject, asText, type JsonObject, parseJson } from '../../base/json.ts';
import type { FileType } from '../../platform/documents/contentTypes.ts';
import type { AcceptedFiles, AppParameters, FileMethod, FileRules, FormField } from '../app.ts';
import { defaultMaxBytes } from './appFiles.ts';
import { anything, number, objectsIn, text, textsIn } from './appWire.ts';

const switchSchema = loosely(z.object({ enabled: loosely(z.boolean()) }));

const parametersSchema = z.object({
  opening_statement: text,
  suggested_questions: anything,
  suggested_questions_after_answer: switchSchema,
  annotation_reply: switchSchema,
  speech_to_text: switchSchema,
  text_to_speech: switchSchema,
  user_input_form: anything,
  file_upload: anything,
  system_parameters: anything,
});

const maxDepth = 8;

const maxEntries = 100;

/** `GET /parameters` of any version. Source: platform-api.md 3. */
export function readParameters(body: JsonObject): AppParameters {
  const wire = parametersSchema.parse(body);
  return {
    openingStatement: wire.opening_statement ?? '',
    suggestedQuestions: textsIn(wire.suggested_questions),
    suggestsAfterAnswer: wire.suggested_questions_after_answer?.enabled ?? false,
    ...(wire.annotation_reply?.enabled === true && { repliesByAnnotation: true as const }),
    ...(wire.speech_to_text?.enabled === true && { transcribes: true as const }),
    ...(wire.text_to_speech?.enabled === true && { speaks: true as const }),
    form: objectsIn(wire.user_input_form).flatMap((entry) => readField(entry) ?? []),
    files: readFileRules(asObject(wire.file_upload) ?? {}, asObject(wire.system_parameters) ?? {}),
  };
}

const fieldSchema = z.object({
  variable: text,
  label: text,
  required: loosely(z.boolean()),
  default: anything,
  max_length: number,
  number_limits: number,
  options: anything,
  allowed_file_types: anything,
  allowed_file_extensions: anything,
  allowed_file_upload_methods: anything,
  // Measured on 1.16.1; older servers have none of these.
  hide: loosely(z.boolean()),
  placeholder: text,
  hint: text,
  json_schema: anything,
});
type WireField = z.infer<typeof fieldSchema>;

/** `{kind: {…}}`, or flat with `type` in forks. Undefined for unnamed entries and those that the server fills in. */
function readField(entry: JsonObject): FormField | undefined {
  const [onlyName = '', only] = Object.entries(entry)[0] ?? [];
  const isFlat = typeof entry['variable'] === 'string';
  const kind = isFlat ? (asText(entry['type']) ?? '') : onlyName;
  const wire = fieldSchema.parse(isFlat ? entry : (asObject(only) ?? {}));
  const { variable } = wire;
  if (variable === undefined || kind === 'external_data_tool') return undefined;
  const field = withKind(kind, wire, {
    ...{ variable, label: wire.label ?? variable, isRequired: wire.required ?? false },
    ...(wire.placeholder && { placeholder: wire.placeholder }),
    ...(wire.hint && { hint: wire.hint }),
  });
  // Without a value the platform would refuse every request.
  const isNeeded = field.isRequired && field.default === undefined;
  return wire.hide === true && !isNeeded ? { ...field, isHidden: true } : field;
}

function withKind(kind: string, wire: WireField, base: Omit<FormField, 'type'>): FormField {
  switch (kind) {
    case 'number':
      return { ...base, type: 'number', default: numberOf(wire.default) };
    case 'select': {
      const options = textsIn(wire.options);
      const preset = asText(wire.default);
      return { ...base, type: 'select', options, default: options.find((option) => option === preset) };
    }
    case 'checkbox':
      return { ...base, type: 'checkbox', default: booleanOf(wire.default) };
    case 'file':
    case 'file-list':
      return { ...base, type: kind, files: readAcceptedFiles(kind, wire) };
    case 'json_object':
      return {
        ...base,
        ...{ type: 'json', default: jsonTextOf(wire.default) },
        ...readFieldSchema(wire.json_schema),
      };
    default:
      return {
        ...base,
        type: kind === 'paragraph' ? 'paragraph' : 'text',
        // 0 means no limit.
        maxLength: wire.max_length || undefined,
        default: wordOf(wire.default),
      };
  }
}

function readAcceptedFiles(kind: 'file' | 'file-list', wire: WireField): AcceptedFiles {
  return {
    types: textsIn(wire.allowed_file_types),
    extensions: extensionsIn(wire.allowed_file_extensions),
    methods: methodsIn(wire.allowed_file_upload_methods),
    maxFiles: kind === 'file' ? 1 : (wire.max_length ?? wire.number_limits),
  };
}

export function extensionsIn(value: unknown): string[] {
  return textsIn(value).map((extension) => `.${extension.trim().replace(/^\.+/, '').toLowerCase()}`);
}

export function methodsIn(value: unknown): FileMethod[] {
  const known = textsIn(value).filter((method) => method === 'local_file' || method === 'remote_url');
  return known.length > 0 ? known : ['local_file', 'remote_url'];
}

/** Megabytes, except for the last, which is a count. */
const limitsSchema = z.object({
  image_file_size_limit: number,
  file_size_limit: number,
  audio_file_size_limit: number,
  video_file_size_limit: number,
  workflow_file_upload_limit: number,
});

const uploadSchema = z.object({
  enabled: loosely(z.boolean()),
  image: loosely(
    z.object({ enabled: loosely(z.boolean()), number_limits: number, transfer_methods: anything }),
  ),
  number_limits: number,
  allowed_file_types: anything,
  allowed_file_extensions: anything,
  allowed_file_upload_methods: anything,
});

/** Upload rules. Older servers only report `image`. */
function readFileRules(upload: JsonObject, system: JsonObject): FileRules {
  const { image, ...wire } = uploadSchema.parse(upload);
  const limits = limitsSchema.parse(system);
  const types = textsIn(wire.allowed_file_types);
  const bytes = (type: FileType, limit: number | undefined): number =>
    limit === undefined ? defaultMaxBytes[type] : limit * megabyte;
  return {
    isEnabled: wire.enabled ?? image?.enabled ?? false,
    types: types.length === 0 && image ? ['image'] : types,
    extensions: extensionsIn(wire.allowed_file_extensions),
    methods: methodsIn(
      Array.isArray(wire.allowed_file_upload_methods)
        ? wire.allowed_file_upload_methods
        : image?.transfer_methods,
    ),
    maxFiles: wire.number_limits ?? image?.number_limits ?? limits.workflow_file_upload_limit ?? 3,
    maxBytes: {
      image: bytes('image', limits.image_file_size_limit),
      document: bytes('document', limits.file_size_limit),
      audio: bytes('audio', limits.audio_file_size_limit),
      video: bytes('video', limits.video_file_size_limit),
      custom: bytes('custom', limits.file_size_limit),
    },
  };
}

function numberOf(value: unknown): number | undefined {
  const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
}

function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === 'true' || value === '1') return true;
  return value === 0 || value === 'false' || value === '0' ? false : undefined;
}

function wordOf(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : asText(value);
}

function jsonTextOf(value: unknown): string | undefined {
  return value !== null && typeof value === 'object' ? JSON.stringify(value, undefined, 2) : asText(value);
}

/** Keywords that `schemaProblem` understands; all others are left to the server's own check. Some servers send text. */
function readFieldSchema(value: unknown): Pick<FormField, 'jsonSchema'> {
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
