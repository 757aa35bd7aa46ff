import type { AppFile } from './appRecords.ts';
import { invalidParam } from '../platformErrors.ts';

/** An entry of an app's form: its kind, and the fields as in `user_input_form`. */
export interface FormEntry {
  /** `text-input`, `paragraph`, `number`, `select`, `checkbox`, `file`, `file-list`, `json_object`, … */
  readonly kind: string;
  readonly variable: string;
  readonly label: string;
  readonly required?: boolean;
  readonly default?: unknown;
  /** Characters of text, or files of a list. */
  readonly max_length?: number;
  readonly options?: readonly string[];
  readonly allowed_file_types?: readonly string[];
  readonly allowed_file_extensions?: readonly string[];
  readonly allowed_file_upload_methods?: readonly string[];
  /** Fields have it as measured on 1.16.1; documented: the platform's own pages leave hidden ones out. */
  readonly hide?: boolean;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly json_schema?: object;
}

export function toUserInputForm(form: readonly FormEntry[]): object[] {
  return form.map(({ kind, required = false, options = [], max_length = null, ...fields }) => ({
    [kind]: { type: kind, ...fields, required, options, max_length },
  }));
}

/** Throws the platform's refusal if the mapping means no file. */
export type FindFile = (mapping: Record<string, unknown>, entry?: FormEntry) => AppFile;

/** The inputs of the app's form. Throws the platform's refusal of the first wrong one. */
export function checkInputs(
  form: readonly FormEntry[],
  inputs: Readonly<Record<string, unknown>>,
  findFile: FindFile,
): Record<string, unknown> {
  const checked = form
    // Filled by the server, from a service that the sandbox doesn't have.
    .filter(({ kind }) => kind !== 'external_data_tool')
    .map((entry) => [entry.variable, checkInput(entry, inputs[entry.variable], findFile)]);
  return Object.fromEntries(checked) as Record<string, unknown>;
}

function checkInput(entry: FormEntry, sent: unknown, findFile: FindFile): unknown {
  const { kind, variable } = entry;
  if (isNothing(sent) && entry.required) throw invalidParam(`${variable} is required in input form`);
  const value = isNothing(sent) ? entry.default : sent;
  if (isNothing(value)) return null;
  switch (kind) {
    case 'number':
      return checkNumber(variable, value);
    case 'select':
      return checkOption(entry, checkText(entry, value));
    case 'checkbox':
      return toBoolean(value);
    case 'json_object':
      if (!isObject(value)) throw invalidParam(`${variable} in input form must be a dict`);
      return value;
    case 'file':
      if (value === '' && !entry.required) return null;
      if (!isObject(value)) throw invalidParam(`${variable} in input form must be a file`);
      return findFile(value, entry);
    case 'file-list':
      return value === '' && !entry.required ? null : checkFiles(entry, value, findFile);
    default:
      return checkText(entry, value);
  }
}

function checkText({ kind, variable, max_length: maxLength }: FormEntry, value: unknown): string {
  if (typeof value !== 'string') {
    throw invalidParam(`(type '${kind}') ${variable} in input form must be a string`);
  }
  // Characters as Python counts them.
  if (maxLength && Array.from(value).length > maxLength) {
    throw invalidParam(`${variable} in input form must be less than ${maxLength} characters`);
  }
  return value;
}

function checkNumber(variable: string, value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && value.trim() === '') return null;
  const number = typeof value === 'string' ? Number(value) : Number.NaN;
  if (Number.isNaN(number)) throw invalidParam(`${variable} in input form must be a valid number`);
  return number;
}

function checkOption({ variable, options = [] }: FormEntry, value: string): string {
  if (options.includes(value)) return value;
  const listed = options.map((option) => `'${option}'`).join(', ');
  throw invalidParam(`${variable} in input form must be one of the following: [${listed}]`);
}

function checkFiles(entry: FormEntry, value: unknown, findFile: FindFile): AppFile[] {
  const { variable, max_length: maxFiles } = entry;
  if (!Array.isArray(value) || !value.every(isObject)) {
    throw invalidParam(`${variable} in input form must be a list of files`);
  }
  if (maxFiles && value.length > maxFiles) {
    throw invalidParam(`${variable} in input form must be less than ${maxFiles} files`);
  }
  return value.map((mapping) => findFile(mapping, entry));
}

/** Other values stay unchanged. */
function toBoolean(value: unknown): unknown {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (['true', '1', 'yes', 'on', 1, true].includes(word as string)) return true;
  return ['false', '0', 'no', 'off', 0, false].includes(word as string) ? false : value;
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
