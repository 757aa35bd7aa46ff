import type { JsonObject } from '../../base/json.ts';
import { type FormField, type MaxBytes, shownFields } from '../app.ts';
import { checkAnswers, type FormAnswer } from '../appForm.ts';

export function answersOf(
  form: readonly FormField[],
  given: JsonObject,
  maxBytes: MaxBytes,
): { answers: Record<string, FormAnswer> } | { problem: string } {
  const answers: Record<string, FormAnswer> = {};
  const problems: string[] = [];
  for (const [variable, value] of Object.entries(given)) {
    const field = shownFields(form).find((each) => each.variable === variable);
    if (!field) problems.push(`${variable}: the workflow has no such input.`);
    else if (field.files) problems.push(`${variable}: files can only be given by the user.`);
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      answers[variable] = value;
    else if (field.type === 'json') answers[variable] = JSON.stringify(value);
    else problems.push(`${variable}: a text is expected.`);
  }
  for (const { variable, problem } of checkAnswers(form, answers, maxBytes)) {
    problems.push(`${variable}: ${problem}`);
  }
  return problems.length > 0 ? { problem: `${problems.join('\n')}\n\n${describeInputs(form)}` } : { answers };
}

export function describeInputs(form: readonly FormField[]): string {
  const shown = shownFields(form);
  if (shown.length === 0) return 'It takes no inputs.';
  const lines = shown.map(({ variable, label, type, isRequired, options, hint }) => {
    const facts = [
      type,
      isRequired ? 'required' : 'optional',
      ...(options ? [`one of: ${options.join(', ')}`] : []),
    ];
    return `- ${variable} (${facts.join(', ')}): ${label}${hint ? ` (${hint})` : ''}`;
  });
  return ['Its inputs are:', ...lines].join('\n');
}
