import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/format.ts';
import { asObject, parseJson } from '../base/json.ts';
import type { AcceptedFiles, FileReference, FormField, MaxBytes } from './app.ts';
import { toWireFile } from './client/appFiles.ts';
import { type ChosenFile, problemWithFiles } from './fileChoice.ts';

/** What the user gave for a field: text as typed, also for numbers and JSON; files for file fields. */
export type FormAnswer = string | number | boolean | readonly ChosenFile[];

/** By variable; what is absent was not answered. */
export type FormAnswers = Readonly<Record<string, FormAnswer | undefined>>;

export interface FieldProblem {
  variable: string;
  /** For the user, about this field. */
  problem: string;
}

/** What the form begins with: the answers of last time as far as they still fit, else the defaults. */
export function initialAnswers(
  form: readonly FormField[],
  last: FormAnswers = {},
): Record<string, FormAnswer> {
  const answers: Record<string, FormAnswer> = {};
  for (const field of form) {
    if (field.files) continue;
    const answer = last[field.variable];
    const usable = isAnswered(answer) && fits(field, answer) ? answer : field.default;
    if (usable !== undefined) answers[field.variable] = usable;
  }
  return answers;
}

/** What a run was given, as answers to the form of now. Its files are to be chosen again: the platform's copies do not last. */
export function answersFrom(
  form: readonly FormField[],
  inputs: Readonly<Record<string, unknown>>,
): Record<string, FormAnswer> {
  const given = form.flatMap(({ variable, type }): [string, string | number | boolean][] => {
    const value = inputs[variable];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return [[variable, value]];
    return type === 'json' && asObject(value) ? [[variable, JSON.stringify(value, undefined, 2)]] : [];
  });
  return initialAnswers(form, Object.fromEntries(given));
}

/**
 * Everything the server would refuse, one problem a field at most, in the order of the form. `maxBytes` are the limits
 * of the app's `FileRules`.
 */
export function checkAnswers(
  form: readonly FormField[],
  answers: FormAnswers,
  maxBytes: MaxBytes,
): FieldProblem[] {
  return form.flatMap((field) => {
    const problem = problemWith(field, answers[field.variable], maxBytes);
    return problem ? [{ variable: field.variable, problem }] : [];
  });
}

/** What is wrong with the answer to one field; undefined when the server will accept it. */
export function problemWith(
  field: FormField,
  answer: FormAnswer | undefined,
  maxBytes: MaxBytes,
): string | undefined {
  // A box that is not ticked is an answer, too.
  if (field.type === 'checkbox') return undefined;
  if (!isAnswered(answer)) return field.isRequired ? l10n.t('Required') : undefined;
  switch (field.type) {
    case 'text':
    case 'paragraph': {
      // The server counts code points.
      const length = Array.from(textOf(answer)).length;
      return field.maxLength !== undefined && length > field.maxLength
        ? plural(
            field.maxLength,
            l10n.t('Maximum 1 character ({0} entered).', formatNumber(length)),
            l10n.t(
              'Maximum {0} characters ({1} entered).',
              formatNumber(field.maxLength),
              formatNumber(length),
            ),
          )
        : undefined;
    }
    case 'number':
      return toNumber(answer) === undefined ? l10n.t('This is not a number.') : undefined;
    case 'select':
      return isOption(field, answer)
        ? undefined
        : l10n.t('Choose one of: {0}.', (field.options ?? []).join(', '));
    case 'json':
      return toJsonObject(answer) ? undefined : l10n.t('This is not a JSON object.');
    case 'file':
    case 'file-list':
      return field.files && problemWithFiles(filesIn(answer), { ...field.files, maxBytes });
  }
}

/** Names a chosen file as requests do, uploading it if it is to be uploaded. */
export type ToReference = (file: ChosenFile, accepted: AcceptedFiles) => Promise<FileReference>;

/**
 * Answers without problems as the `inputs` of a request: numbers as numbers, boxes as booleans, files as references,
 * one after another. What was not answered is left out.
 */
export async function toInputs(
  form: readonly FormField[],
  answers: FormAnswers,
  toReference: ToReference,
): Promise<Record<string, unknown>> {
  const inputs: [string, unknown][] = [];
  for (const field of form) {
    const value = await toInput(field, answers[field.variable], toReference);
    if (value !== undefined) inputs.push([field.variable, value]);
  }
  return Object.fromEntries(inputs);
}

async function toInput(
  field: FormField,
  answer: FormAnswer | undefined,
  toReference: ToReference,
): Promise<unknown> {
  if (field.type === 'checkbox') {
    // The server wants a required one answered, and one that was not touched is not ticked.
    const isOpen = answer === undefined && field.default === undefined && !field.isRequired;
    return isOpen ? undefined : isTicked(field, answer);
  }
  if (!isAnswered(answer)) return undefined;
  if (field.files) {
    const files: Record<string, string>[] = [];
    for (const file of filesIn(answer)) files.push(toWireFile(await toReference(file, field.files)));
    return field.type === 'file' ? files[0] : files;
  }
  switch (field.type) {
    case 'number':
      return toNumber(answer);
    case 'json':
      return toJsonObject(answer);
    default:
      return textOf(answer);
  }
}

/** Of a checkbox that was not touched, the default counts. */
export function isTicked(field: FormField, answer: FormAnswer | undefined): boolean {
  const given = answer ?? field.default;
  return given === true || given === 'true';
}

/** An answer as it was typed; empty for files. */
export function textOf(answer: FormAnswer | undefined): string {
  return answer === undefined || typeof answer === 'object' ? '' : String(answer);
}

/** The files of an answer. */
export function filesIn(answer: FormAnswer | undefined): readonly ChosenFile[] {
  return typeof answer === 'object' ? answer : [];
}

/** What the user calls it. */
export function chosenName(file: ChosenFile): string {
  return file.method === 'local_file' ? file.name : file.url;
}

function isAnswered(answer: FormAnswer | undefined): answer is FormAnswer {
  return answer !== undefined && answer !== '' && !(Array.isArray(answer) && answer.length === 0);
}

/** Whether an answer of last time can be shown again. */
function fits(field: FormField, answer: FormAnswer): boolean {
  if (field.type === 'checkbox') return typeof answer === 'boolean';
  if (field.type === 'select') return isOption(field, answer);
  return typeof answer === 'string' || (field.type === 'number' && typeof answer === 'number');
}

function isOption({ options = [] }: FormField, answer: FormAnswer): boolean {
  return options.includes(textOf(answer));
}

function toNumber(answer: FormAnswer): number | undefined {
  const given = typeof answer === 'string' && answer.trim() !== '' ? Number(answer) : answer;
  return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
}

function toJsonObject(answer: FormAnswer): object | undefined {
  return typeof answer === 'string' ? asObject(parseJson(answer)) : undefined;
}

/** What a form was filled in with, to be sent with the first message. */
export interface FilledForm {
  answers: FormAnswers;
  /** For the user to read later. */
  shown: readonly { label: string; value: string }[];
}
