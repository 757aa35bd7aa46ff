import type { FormField, HumanInputForm } from '../app.ts';
import { type FormAnswers, toInputs } from '../appForm.ts';
import { type FileWork, toReference } from '../fileReferences.ts';

/** What the user answered to a form that a run waits for. */
export interface FormSubmission {
  token: string;
  form: HumanInputForm;
  answers: FormAnswers;
  /** Of the form's actions. */
  action: string;
}

/** Uploads files and submits the form. The platform wants a value for every field, also for one that was left empty. */
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
