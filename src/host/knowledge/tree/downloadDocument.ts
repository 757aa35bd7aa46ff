import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../../base/errors.ts';
import { formatSize } from '../../../base/format.ts';
import { safeFileName } from '../../../base/safeFileName.ts';
import { type DocumentNode, placeOfDocument } from '../../../knowledge/view/treeNode.ts';
import { confirmModal, showInformation } from '../../notifications.ts';
import { withProgress } from '../../withProgress.ts';
import type { CommandDependencies } from '../commandDependencies.ts';

/** Saves the file that a document was made of where the user wants it. Returns where, undefined when dismissed. */
export async function downloadDocument(
  { client, access }: CommandDependencies,
  node: DocumentNode,
): Promise<string | undefined> {
  const { name } = node.document;
  const { datasetId, documentId } = placeOfDocument(node);
  const address = await withProgress(l10n.t('Loading {0}…', name), (signal) =>
    client.documents.downloadUrl(datasetId, documentId, signal),
  );
  if (!(await confirmHost(address, access.origin))) return undefined;
  const last = name.replaceAll('\u2215', '/').split('/').at(-1) ?? name;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const file = safeFileName(last, 'document');
  // The editor's dialog asks before a file is replaced.
  const uri = await vscode.window.showSaveDialog({
    title: l10n.t('Download Document'),
    saveLabel: l10n.t('Download'),
    defaultUri: folder ? vscode.Uri.joinPath(folder.uri, file) : vscode.Uri.file(file),
  });
  if (!uri) return undefined;
  await withProgress(l10n.t('Downloading {0}', name), async (signal, report) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of client.documents.download(address, signal)) {
      pieces.push(piece);
      size += piece.byteLength;
      report({ message: formatSize(size) });
    }
    await replaceFile(uri, Buffer.concat(pieces));
  });
  void offerToOpen(uri);
  return uri.toString();
}

/** The platform may keep files elsewhere; nothing goes to a host that the user has not seen. */
async function confirmHost(address: string, origin: string): Promise<boolean> {
  const { origin: other, host } = new URL(address);
  if (other === origin) return true;
  return confirmModal(
    l10n.t('The platform keeps this file on {0}. Download it from there?', host),
    l10n.t('Download'),
    l10n.t('Your key is not sent there.'),
  );
}

/** What was there stays until the new file is whole. */
async function replaceFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  const { fs } = vscode.workspace;
  const partial = uri.with({ path: `${uri.path}.${randomUUID()}.partial` });
  try {
    await fs.writeFile(partial, bytes);
    await fs.rename(partial, uri, { overwrite: true });
  } catch (cause) {
    await fs.delete(partial).then(undefined, () => undefined);
    throw new SwitchboardError('storage', l10n.t("The file couldn't be saved."), { cause });
  }
}

async function offerToOpen(uri: vscode.Uri): Promise<void> {
  const open = l10n.t('Open');
  const path = vscode.workspace.asRelativePath(uri);
  const answer = await showInformation(l10n.t('Saved {0}.', path), open);
  // Whatever editor the file has: a PDF has no text.
  if (answer === open) await vscode.commands.executeCommand('vscode.open', uri);
}
