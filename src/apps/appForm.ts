import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { formatNumber, plural } from '../base/text/format.ts';
import { asObject, parseJson } from '../base/json.ts';
import { schemaProblem } from '../base/jsonSchema.ts';
import type { AcceptedFiles, FileReference, FormField, MaxBytes } from './app.ts';
import { toWireFile } from './client/appFiles.ts';
import { toSentInputs } from './client/sentInputs.ts';
import { type ChosenFile, problemWithFiles } from './fileChoice.ts';

export type FormAnswer = string | number | boolean | readonly ChosenFile[];

export type FormAnswers = Readonly<Record<string, FormAnswer | undefined>>;

export interface FieldProblem {
  variable: string;
  problem: string;
}

export function initialAnswers(
  form: readonly FormField[],
  last: FormAnswers = {},
): Record<string, FormAnswer> {
  const answers: Record<string, FormAnswer> = {};
  for (const field of form) {
    if (field.files) continue;
    const answer = field.isHidden ? undefined : last[field.variable];
    const usable = isAnswered(answer) && fits(field, answer) ? answer : field.default;
    if (usable !== undefined) answers[field.variable] = usable;
  }
  return answers;
}

/** A run's inputs as answers to the current form. Files must be chosen again: the platform's copies expire. */
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

/** Answers from a conversation's inputs and files that still fit. `chosen`: answers given here, with names. */
export function answersAgain(
  form: readonly FormField[],
  inputs: Readonly<Record<string, unknown>>,
  chosen: FormAnswers,
  maxBytes: MaxBytes,
): Record<string, FormAnswer> {
  const sent = toSentInputs(inputs);
  const files = form.flatMap(({ variable, files: limits }): [string, readonly ChosenFile[]][] => {
    if (!limits) return [];
    const here = filesIn(chosen[variable]);
    const known = [sent[variable]].flat().flatMap((value, index) => sentFile(value, here[index]) ?? []);
    const kept = (known.length > 0 ? known : here).filter(
      (file) => problemWithFiles([file], { ...limits, maxBytes }) === undefined,
    );
    return kept.length > 0 ? [[variable, kept]] : [];
  });
  return { ...answersFrom(form, inputs), ...Object.fromEntries(files) };
}

const sentFileSchema = z.object({
  type: z.enum(['document', 'image', 'audio', 'video', 'custom']),
  transfer_method: z.enum(['local_file', 'remote_url']),
  upload_file_id: z.optional(z.string()),
  url: z.optional(z.string()),
});

function sentFile(value: unknown, chosen: ChosenFile | undefined): ChosenFile | undefined {
  const { data } = sentFileSchema.safeParse(value);
  if (data?.transfer_method === 'remote_url') {
    return data.url === undefined ? undefined : { method: 'remote_url', url: data.url };
  }
  const { type, upload_file_id: uploadFileId } = data ?? {};
  if (type === undefined || uploadFileId === undefined) return undefined;
  const name = chosen ? chosenName(chosen) : l10n.t('File sent before');
  return { method: 'sent', name, reference: { type, method: 'local_file', uploadFileId } };
}

/** At most one problem per field, in form order. `maxBytes`: limits of the app's `FileRules`. */
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

export function problemWith(
  field: FormField,
  answer: FormAnswer | undefined,
  maxBytes: MaxBytes,
): string | undefined {
  // An unticked checkbox is an answer, too.
  if (field.type === 'checkbox') return undefined;
  // Nobody could correct a hidden default.
  if (field.isHidden && (answer === undefined || answer === field.default)) return undefined;
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
      return toNumber(answer) === undefined ? l10n.t('Enter a number.') : undefined;
    case 'select':
      return isOption(field, answer)
        ? undefined
        : l10n.t('Choose one of: {0}.', (field.options ?? []).join(', '));
    case 'json':
      return problemWithJson(field, toJsonObject(answer));
    case 'file':
    case 'file-list':
      return field.files && problemWithFiles(filesIn(answer), { ...field.files, maxBytes });
  }
}

function problemWithJson({ jsonSchema }: FormField, value: object | undefined): string | undefined {
  if (!value) return l10n.t('Enter a JSON object.');
  const problem = jsonSchema && schemaProblem(jsonSchema, value);
  return problem && l10n.t("Doesn't match the field's JSON schema: {0}.", problem);
}

export type ToReference = (file: ChosenFile, accepted: AcceptedFiles) => Promise<FileReference>;

/** Typed values of valid answers. Files are uploaded one after another; unanswered fields are left out. */
export async function toInputs(
  form: readonly FormField[],
  answers: FormAnswers,
  toReference: ToReference,
): Promise<Record<string, unknown>> {
  const inputs: [string, unknown][] = [];
  for (const field of form) {
    const answer = answers[field.variable];
    const value = await toInput(field, field.isHidden ? (answer ?? field.default) : answer, toReference);
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
    // The server requires an answer; an untouched checkbox is unticked.
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

export function isTicked(field: FormField, answer: FormAnswer | undefined): boolean {
  const given = answer ?? field.default;
  return given === true || given === 'true';
}

export function textOf(answer: FormAnswer | undefined): string {
  return answer === undefined || typeof answer === 'object' ? '' : String(answer);
}

export function answerText(answer: FormAnswer | undefined): string {
  if (typeof answer === 'boolean') return answer ? '✓' : '✗';
  return filesIn(answer).map(chosenName).join(', ') || textOf(answer).trim();
}

export function filesIn(answer: FormAnswer | undefined): readonly ChosenFile[] {
  return typeof answer === 'object' ? answer : [];
}

export function chosenName(file: ChosenFile): string {
  return file.method === 'remote_url' ? file.url : file.name;
}

function isAnswered(answer: FormAnswer | undefined): answer is FormAnswer {
  return answer !== undefined && answer !== '' && !(Array.isArray(answer) && answer.length === 0);
}

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

export interface FilledForm {
  answers: FormAnswers;
  shown: readonly { label: string; value: string }[];
}

export function fillOpening(opening: string, form: readonly FormField[], answers: FormAnswers): string {
  return fill(opening, /\{\{\s*([^{}\s]{1,100})\s*\}\}/g, form, answers);
}

/** Fills in the `{{#$output.name#}}`s of a human input form's text, which servers leave to the client (recorded on 1.16.1). */
export function fillFormContent(content: string, fields: readonly FormField[], answers: FormAnswers): string {
  return fill(content, /\{\{#\$output\.([^{}#]{1,100})#\}\}/g, fields, answers);
}

function fill(text: string, pattern: RegExp, form: readonly FormField[], answers: FormAnswers): string {
  return text.replace(pattern, (whole, variable: string) => {
    const field = form.find((each) => each.variable === variable);
    return field ? answerText(answers[variable] ?? field.default) || '…' : whole;
  });
}
