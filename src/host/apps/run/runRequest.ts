import * as l10n from '@vscode/l10n';
import { type FormAnswers, toInputs } from '../../../apps/appForm.ts';
import { type ChosenFile, sentType } from '../../../apps/fileChoice.ts';
import { SwitchboardError } from '../../../base/errors.ts';
import type { LocalFiles } from '../../../knowledge/localFiles.ts';
import type { AppClient } from '../../../platform/apps/appClient.ts';
import type {
  AppParameters,
  FileField,
  FileReference,
  FormField,
} from '../../../platform/apps/appRecords.ts';

/** What stands for the files of the request itself, which belong to no field of the app's form. */
const attachedFiles = ' files';

/** All that the person is asked: the app's form, and files where it takes some beside it. */
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

export interface RequestWork {
  client: AppClient;
  files: LocalFiles;
  signal: AbortSignal;
  /** Called as a file begins to go up. */
  onUpload(name: string): void;
}

/** Answers without problems as what is sent; files are uploaded on the way. */
export async function toRunRequest(
  form: readonly FormField[],
  answers: FormAnswers,
  work: RequestWork,
): Promise<{ inputs: Record<string, unknown>; files: readonly FileReference[] }> {
  const toReference = (file: ChosenFile, field: FileField) => referTo(file, field, work);
  const ofApp = form.filter(({ variable }) => variable !== attachedFiles);
  const inputs = await toInputs(ofApp, answers, toReference);
  const field = form.find(({ variable }) => variable === attachedFiles);
  const attached = answers[attachedFiles];
  const files: FileReference[] = [];
  if (field && 'methods' in field && typeof attached === 'object') {
    for (const file of attached) files.push(await toReference(file, field));
  }
  return { inputs, files };
}

async function referTo(file: ChosenFile, field: FileField, work: RequestWork): Promise<FileReference> {
  const type = sentType(file, field) ?? 'custom';
  if (file.method === 'remote_url') return { type, method: 'remote_url', url: file.url };
  const realPath = 'realPath' in file && typeof file.realPath === 'string' ? file.realPath : '';
  // Judged once more: time went by since it was chosen.
  const open = await work.files.open(realPath);
  if ('refusal' in open) throw new SwitchboardError('request', open.refusal);
  try {
    work.onUpload(file.name);
    const { uploadFileId } = await work.client.upload(
      { name: file.name, size: open.size, open: () => open.stream() },
      work.signal,
    );
    return { type, method: 'local_file', uploadFileId };
  } finally {
    await open.close();
  }
}
