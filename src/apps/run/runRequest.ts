import * as l10n from '@vscode/l10n';
import { type FormAnswers, toInputs } from '../appForm.ts';
import type { AppParameters, FileField, FileReference, FormField } from '../app.ts';
import { type FileWork, toReference } from '../fileReferences.ts';

/** What stands for the files of the request itself, which belong to no field of the app's form. */
const attachedFiles = ' files';

/** All that the user is asked: the app's form, and files where it takes some beside it. */
export function wholeForm({ form, files }: AppParameters): readonly FormField[] {
  if (!files.isEnabled) return form;
  const { types, extensions, methods, maxFiles } = files;
  const attached: FileField = {
    type: 'file-list',
    variable: attachedFiles,
    label: l10n.t('Files'),
    isRequired: false,
    ...{ types, extensions, methods, maxFiles },
  };
  return [...form, attached];
}

/** Answers without problems as what is sent; files are uploaded on the way. */
export async function toRunRequest(
  form: readonly FormField[],
  answers: FormAnswers,
  work: FileWork,
): Promise<{ inputs: Record<string, unknown>; files: readonly FileReference[] }> {
  const ofApp = form.filter(({ variable }) => variable !== attachedFiles);
  const inputs = await toInputs(ofApp, answers, (file, of) => toReference(file, of, work));
  const field = form.find(({ variable }) => variable === attachedFiles);
  const attached = answers[attachedFiles];
  const files: FileReference[] = [];
  if (field && 'methods' in field && typeof attached === 'object') {
    for (const file of attached) files.push(await toReference(file, field, work));
  }
  return { inputs, files };
}
