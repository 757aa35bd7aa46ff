import type { FormField } from '../app.ts';
import type { FormAnswer } from '../appForm.ts';
import { type LocalChoice, sentType } from '../fileChoice.ts';

/** What the editor gives to a form. */
export interface EditorInput {
  text: string;
  /** For the user: the file, and the lines of it. */
  from: string;
  /** Present when the text is all of a file. */
  file?: LocalChoice;
}

/**
 * Which field of a form gets what the editor gives: a text, those that are required first, and among equals the one
 * that it fits into. A form without texts may get the file itself.
 */
export function choosePrefill(
  form: readonly FormField[],
  { text, file }: EditorInput,
): { variable: string; answer: FormAnswer } | undefined {
  const texts = form.filter(({ type }) => type === 'text' || type === 'paragraph');
  const best = texts.toSorted((a, b) => rank(a, text) - rank(b, text))[0];
  if (best) return { variable: best.variable, answer: text };
  if (!file) return undefined;
  const field = form.find(
    ({ files }) => files?.methods.includes('local_file') && sentType(file, files) !== undefined,
  );
  return field && { variable: field.variable, answer: [file] };
}

/** Lower is better. */
function rank({ isRequired, type, maxLength = Infinity }: FormField, text: string): number {
  const fits = text.length <= maxLength;
  const keepsLines = type === 'paragraph' || !text.includes('\n');
  return (isRequired ? 0 : 4) + (fits ? 0 : 2) + (keepsLines ? 0 : 1);
}
