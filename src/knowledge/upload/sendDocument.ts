import * as l10n from '@vscode/l10n';
import { messageOf, SwitchboardError } from '../../base/errors/errors.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import type { PlatformClient } from '../../platform/platformClient.ts';
import type { IndexingSettings } from '../../platform/documents/documents.ts';
import type { AcceptedDocument, DocumentRecord } from '../../platform/records.ts';
import type { UploadSource } from './uploadSource.ts';

export interface Sending {
  datasetId: string;
  name: string;
  body: UploadSource['body'];
  settings: IndexingSettings;
  replaces: DocumentRecord | undefined;
}

/** Replaces by id if supported, else by name (while enabled). Source: platform-api.md 7.3, 7.5. */
export async function sendDocument(
  client: PlatformClient,
  { datasetId, name, body, settings, replaces }: Sending,
  signal: AbortSignal,
  onProgress: (sentBytes: number) => void,
): Promise<AcceptedDocument> {
  const { documents } = client;
  if (replaces) {
    try {
      await makeAvailable(client, datasetId, replaces, signal);
      if (replaces.state === 'completed') {
        return body.type === 'text'
          ? await documents.updateByText(
              datasetId,
              replaces.id,
              { name, text: body.text, ...settings },
              signal,
            )
          : await documents.updateByFile(datasetId, replaces.id, body.file, settings, signal, onProgress);
      }
    } catch (error) {
      if (!isUpdateRefused(error)) throw error;
    }
  }
  return body.type === 'text'
    ? await documents.createByText(datasetId, { name, text: body.text, ...settings }, signal)
    : await documents.createByFile(datasetId, body.file, settings, signal, onProgress);
}

/** A disabled document isn't replaced by name. */
async function makeAvailable(
  { documents }: PlatformClient,
  datasetId: string,
  { id, isArchived, isEnabled }: DocumentRecord,
  signal: AbortSignal,
): Promise<void> {
  if (isArchived) await documents.setStatus(datasetId, [id], 'un_archive', signal);
  if (!isEnabled) await documents.setStatus(datasetId, [id], 'enable', signal);
}

/** Being indexed, deleted, or not supported: creating the document reveals the real problem, if any. */
function isUpdateRefused(error: unknown): boolean {
  return error instanceof SwitchboardError && [400, 404, 405, 501].includes(error.status ?? 0);
}

/** Errors of reading and sending a document; system errors are about the file. */
export function toUploadError(error: unknown): SwitchboardError {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  if (!isOfSystem) return toSwitchboardError(error);
  return new SwitchboardError('local-file', l10n.t("Couldn't be read or sent."), {
    systemError: messageOf(error),
    cause: error,
  });
}
