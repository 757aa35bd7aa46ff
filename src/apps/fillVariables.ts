import { type FormAnswers, answerText } from './appForm.ts';
import type { FormField } from './app.ts';

/** Fills in the `{{variable}}`s of an opening statement that name a field of the form. */
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
