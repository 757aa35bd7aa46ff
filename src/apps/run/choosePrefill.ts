import type { FormAnswer } from '../appForm.ts';
import { type LocalChoice, sentType } from '../fileChoice.ts';
import type { FormField, TextField } from '../app.ts';

/** What the editor gives to a form. */
export interface EditorInput {
  text: string;
  /** For the user: the file, and the lines of it. */
  from: string;
  /** Present when the text is all of a file. */
  file?: LocalChoice;
}

/**
 * Which field of a form takes what the editor gives: a text, those that are required first, and among equals the one
 * that it fits into. A form without texts may take the file itself.
 */
export function choosePrefill(
  form: readonly FormField[],
  { text, file }: EditorInput,
): { variable: string; answer: FormAnswer } | undefined {
  const texts = form.flatMap((field) => (isText(field) ? field : []));
  const best = texts.toSorted((a, b) => rank(a, text) - rank(b, text))[0];
  if (best) return { variable: best.variable, answer: text };
  if (!file) return undefined;
  const taker = form.find(
    (field) =>
      'methods' in field && field.methods.includes('local_file') && sentType(file, field) !== undefined,
  );
  return taker && { variable: taker.variable, answer: [file] };
}

function isText(field: FormField): field is TextField {
  return field.type === 'text' || field.type === 'paragraph';
}

/** Lower is better. */
function rank({ isRequired, type, maxLength = Infinity }: TextField, text: string): number {
  const fits = text.length <= maxLength;
  const keepsLines = type === 'paragraph' || !text.includes('\n');
  return (isRequired ? 0 : 4) + (fits ? 0 : 2) + (keepsLines ? 0 : 1);
}
