import type { RedactableText } from '../../base/secrets/redactSecrets.ts';
import { type FormField, shownFields } from '../app.ts';
import type { FormAnswer } from '../appForm.ts';
import { type LocalChoice, sentType } from '../fileChoice.ts';

export interface EditorInput extends RedactableText {
  from: string;
  file?: LocalChoice;
}

/** The named text field if there is one; else required text fields first, then those that fit the length. A form without text fields may get the file. */
export function choosePrefill(
  form: readonly FormField[],
  { text, file }: EditorInput,
  field?: string,
): { variable: string; answer: FormAnswer } | undefined {
  const shown = shownFields(form);
  const texts = shown.filter(({ type }) => type === 'text' || type === 'paragraph');
  const named = texts.find(({ variable }) => variable === field);
  const best = named ?? texts.toSorted((a, b) => rank(a, text) - rank(b, text))[0];
  if (best) return { variable: best.variable, answer: text };
  if (!file) return undefined;
  const ofFile = shown.find(
    ({ files }) => files?.methods.includes('local_file') && sentType(file, files) !== undefined,
  );
  return ofFile && { variable: ofFile.variable, answer: [file] };
}

function rank({ isRequired, type, maxLength = Infinity }: FormField, text: string): number {
  const fits = text.length <= maxLength;
  const keepsLines = type === 'paragraph' || !text.includes('\n');
  return (isRequired ? 0 : 4) + (fits ? 0 : 2) + (keepsLines ? 0 : 1);
}
