import * as z from 'zod/mini';
import { asObject, asText } from '../../base/json.ts';
import type { FormField, HumanInputForm } from '../app.ts';
import { anything, number, objectsIn, text, textsIn, toMs } from './appWire.ts';
import { extensionsIn, methodsIn } from './readParameters.ts';

const maxParts = 100;

const formSchema = z.object({
  form_content: text,
  inputs: anything,
  resolved_default_values: anything,
  user_actions: anything,
  expiration_time: number,
});

/** `GET /form/human_input/{token}`; undefined if it is no such form. Source: docs/platform-api.md. */
export function readHumanInputForm(json: unknown): HumanInputForm | undefined {
  const body = asObject(json);
  if (!body || !Array.isArray(body['user_actions'])) return undefined;
  const wire = formSchema.parse(body);
  const defaults = asObject(wire.resolved_default_values) ?? {};
  const fields = objectsIn(wire.inputs).flatMap((input) => readField(input, defaults) ?? []);
  const actions = objectsIn(wire.user_actions).flatMap(({ id, title }) => {
    const action = asText(id);
    return action === undefined ? [] : [{ id: action, title: asText(title) ?? action }];
  });
  const expiresAtMs = toMs(wire.expiration_time);
  return {
    content: wire.form_content ?? '',
    fields: fields.slice(0, maxParts),
    actions: actions.slice(0, maxParts),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
  };
}

const inputSchema = z.object({
  type: text,
  output_variable_name: text,
  option_source: anything,
  default: anything,
  allowed_file_types: anything,
  allowed_file_extensions: anything,
  allowed_file_upload_methods: anything,
  number_limits: number,
});

/** Fields have no label but their name. Unknown kinds are read as text. */
function readField(
  input: Record<string, unknown>,
  defaults: Readonly<Record<string, unknown>>,
): FormField | undefined {
  const wire = inputSchema.parse(input);
  const variable = wire.output_variable_name;
  if (variable === undefined) return undefined;
  const base = { variable, label: variable };
  switch (wire.type) {
    case 'select':
      return {
        ...base,
        type: 'select',
        isRequired: true,
        options: textsIn(asObject(wire.option_source)?.['value']),
      };
    case 'file':
    case 'file-list':
      return {
        ...base,
        type: wire.type,
        isRequired: wire.type === 'file',
        files: {
          types: textsIn(wire.allowed_file_types),
          extensions: extensionsIn(wire.allowed_file_extensions),
          methods: methodsIn(wire.allowed_file_upload_methods),
          // 0 means no limit.
          maxFiles: wire.type === 'file' ? 1 : wire.number_limits || undefined,
        },
      };
    default: {
      const preset = asText(defaults[variable]) ?? asText(asObject(wire.default)?.['value']);
      return {
        ...base,
        type: wire.type === 'text_input' ? 'text' : 'paragraph',
        isRequired: false,
        default: preset,
      };
    }
  }
}
