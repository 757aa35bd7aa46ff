import * as l10n from '@vscode/l10n';
import type { AppParameters, FileReference, FormField } from '../app.ts';
import { filesIn, type FormAnswers, toInputs } from '../appForm.ts';
import { type FileWork, toReference } from '../fileReferences.ts';

/** Pseudo-variable for files outside of the app's form. */
const attachedFiles = ' files';

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

export async function toRunRequest(
  { form, files: rules }: AppParameters,
  answers: FormAnswers,
  work: FileWork,
): Promise<{ inputs: Record<string, unknown>; files: readonly FileReference[] }> {
  const inputs = await toInputs(form, answers, (file, accepted) => toReference(file, accepted, work));
  const files: FileReference[] = [];
  // The app's rules may have changed since the form was filled in.
  const attached = rules.isEnabled ? filesIn(answers[attachedFiles]) : [];
  for (const file of attached) files.push(await toReference(file, rules, work));
  return { inputs, files };
}
