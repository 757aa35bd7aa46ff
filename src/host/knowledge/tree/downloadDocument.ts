import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../../base/errors/errors.ts';
import { formatNumber } from '../../../base/text/format.ts';
import { formatSize } from '../../../base/text/formatSize.ts';
import { safeFileName } from '../../../base/files/safeFileName.ts';
import { type DocumentNode, placeOfDocument } from '../../../knowledge/view/treeNode.ts';
import { mostInArchive } from '../../../platform/downloadFile.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';
import { confirmModal } from '../../ui/modals.ts';
import type { Notifications } from '../../ui/notifications.ts';

export async function downloadDocument(
  { notifications, client, access }: KnowledgeCommandContext,
  node: DocumentNode,
): Promise<string | undefined> {
  const { name } = node.document;
  const { datasetId, documentId } = placeOfDocument(node);
  const address = await withProgress(notifications, l10n.t('Loading {0}…', name), (signal) =>
    client.documents.downloadUrl(datasetId, documentId, signal),
  );
  if (!(await confirmHost(address, access.origin))) return undefined;
  const last = name.split('/').at(-1) ?? name;
  return save(notifications, name, safeFileName(last, 'document'), (signal) =>
    client.documents.download(address, signal),
  );
}

export async function downloadDocuments(
  { notifications, client }: KnowledgeCommandContext,
  nodes: readonly DocumentNode[],
): Promise<string | undefined> {
  const [first] = nodes;
  if (!first) return undefined;
  const { id, name } = first.parent.dataset;
  if (nodes.some(({ parent }) => parent.dataset.id !== id)) {
    void notifications.warning(l10n.t('Select documents of one knowledge base to download them together.'));
    return undefined;
  }
  if (nodes.length > mostInArchive) {
    const most = formatNumber(mostInArchive);
    void notifications.warning(l10n.t('Too many documents to download together. Maximum: {0}.', most));
    return undefined;
  }
  const ids = nodes.map(({ document }) => document.id);
  return save(notifications, name, `${safeFileName(name, 'documents')}.zip`, (signal) =>
    client.documents.downloadArchive(id, ids, signal),
  );
}

async function save(
  notifications: Notifications,
  name: string,
  file: string,
  download: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
): Promise<string | undefined> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  // The editor's dialog confirms overwriting.
  const uri = await vscode.window.showSaveDialog({
    title: l10n.t('Download Document'),
    saveLabel: l10n.t('Download'),
    defaultUri: folder ? vscode.Uri.joinPath(folder.uri, file) : vscode.Uri.file(file),
  });
  if (!uri) return undefined;
  await withProgress(notifications, l10n.t('Downloading {0}', name), async (signal, report) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of download(signal)) {
      pieces.push(piece);
      size += piece.byteLength;
      report({ message: formatSize(size) });
    }
    await replaceFile(uri, Buffer.concat(pieces));
  });
  void offerToOpen(notifications, uri);
  return uri.toString();
}

async function confirmHost(address: string, origin: string): Promise<boolean> {
  const { origin: other, host } = new URL(address);
  if (other === origin) return true;
  return confirmModal(
    l10n.t('The platform keeps this file on {0}. Download it from there?', host),
    l10n.t('Download'),
    l10n.t('Your key is not sent there.'),
  );
}

/** Replaces a file only once the new one is complete. */
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

async function offerToOpen(notifications: Notifications, uri: vscode.Uri): Promise<void> {
  const open = l10n.t('Open');
  const path = vscode.workspace.asRelativePath(uri);
  const answer = await notifications.information(l10n.t('Saved {0}.', path), open);
  if (answer === open) await vscode.commands.executeCommand('vscode.open', uri);
}
