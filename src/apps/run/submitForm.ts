import type { FormField, HumanInputForm } from '../app.ts';
import { type FormAnswers, toInputs } from '../appForm.ts';
import { type FileWork, toReference } from '../fileReferences.ts';

export interface FormSubmission {
  token: string;
  form: HumanInputForm;
  answers: FormAnswers;
  action: string;
}

/** Uploads files and submits the form. The platform requires a value for every field, even an empty one. */
export async function submitForm(
  { token, form: { fields }, answers, action }: FormSubmission,
  work: FileWork,
): Promise<void> {
  const given = await toInputs(fields, answers, (file, accepted) => toReference(file, accepted, work));
  const inputs = Object.fromEntries(
    fields.map((field) => [field.variable, given[field.variable] ?? emptyValue(field)]),
  );
  await work.client.submitHumanInput(token, { action, inputs }, work.signal);
}

function emptyValue({ type }: FormField): unknown {
  return type === 'file-list' ? [] : '';
}
