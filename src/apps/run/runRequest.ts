import * as l10n from '@vscode/l10n';
import type { AppParameters, FileReference, FormField } from '../app.ts';
import { filesIn, type FormAnswers, toInputs } from '../appForm.ts';
import { type FileWork, toReference } from '../fileReferences.ts';

/** What stands for the files of the request itself, which belong to no field of the app's form. */
const attachedFiles = ' files';

/** All that the user is asked: the app's form, and files where it accepts some beside it. */
export function wholeForm({ form, files }: AppParameters): readonly FormField[] {
  if (!files.isEnabled) return form;
  const attached: FormField = {
    type: 'file-list',
    variable: attachedFiles,
    label: l10n.t('Files'),
    isRequired: false,
    files,
  };
  return [...form, attached];
}

/** Answers without problems as what is sent; files are uploaded on the way. */
export async function toRunRequest(
  { form, files: rules }: AppParameters,
  answers: FormAnswers,
  work: FileWork,
): Promise<{ inputs: Record<string, unknown>; files: readonly FileReference[] }> {
  const inputs = await toInputs(form, answers, (file, accepted) => toReference(file, accepted, work));
  const files: FileReference[] = [];
  // What the app accepted when the form was filled in, it may refuse now.
  const attached = rules.isEnabled ? filesIn(answers[attachedFiles]) : [];
  for (const file of attached) files.push(await toReference(file, rules, work));
  return { inputs, files };
}
