import { asObject, asText } from '../../base/json.ts';
import type { FormField } from '../app.ts';

/** The platform lists files in a form that it rejects itself, and empty values as null. */
export function toSentInputs(inputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([variable, value]) => {
      const sent = toSent(value);
      return sent === null || sent === undefined ? [] : [[variable, sent]];
    }),
  );
}

/** The first required field without an input, such as one the form gained since. */
export function firstMissing(
  form: readonly FormField[],
  inputs: Readonly<Record<string, unknown>>,
): FormField | undefined {
  const sent = toSentInputs(inputs);
  return form.find(
    ({ type, variable, isRequired, isHidden }) =>
      isRequired && !isHidden && type !== 'checkbox' && isEmpty(sent[variable]),
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function toSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSent).filter((item) => item !== undefined);
  const file = asObject(value);
  if (file?.['dify_model_identity'] !== '__dify__file__') return value;
  const {
    type,
    transfer_method: method,
    remote_url: remote,
    url,
    related_id: related,
    upload_file_id: id,
  } = file;
  if (method === 'remote_url') {
    const address = asText(remote) ?? asText(url);
    return address && { type, transfer_method: method, url: address };
  }
  const uploadFileId = asText(related) ?? asText(id);
  return uploadFileId && { type, transfer_method: 'local_file', upload_file_id: uploadFileId };
}
