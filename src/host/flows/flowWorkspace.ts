import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { saveDocument } from '../workspace/saveDocument.ts';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { linksFile } from '../ids.ts';
import { type FlowLink, readLinks, withLink, writeLinks } from '../../flows/sync/flowLinks.ts';
import { PlatformSessions, type PlatformSession } from '../../connections/platformSessions.ts';
import type { FlowServer } from '../../flows/sync/pullFlow.ts';
import { createOpenapiClient } from '../../platform/openapi/openapiClient.ts';
import type { AppCommandContext } from '../apps/appCommandContext.ts';
import { toPath } from '../workspace/workspacePlaces.ts';

export interface LinkedFile {
  readonly folder: vscode.WorkspaceFolder;
  readonly uri: vscode.Uri;
  readonly link: FlowLink;
}

export async function linkedFiles(): Promise<LinkedFile[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = await Promise.all(
    folders.map(async (folder) =>
      (await linksOf(folder)).map((link) => ({
        folder,
        link,
        uri: vscode.Uri.joinPath(folder.uri, link.path),
      })),
    ),
  );
  return found.flat();
}

export async function linkedFile(uri: vscode.Uri): Promise<LinkedFile> {
  const found = await findLinkedFile(uri);
  if (found) return found;
  throw new SwitchboardError(
    'local-file',
    l10n.t('This file is linked to no app. Pull an app, or push the file as a new app.'),
  );
}

export async function findLinkedFile(uri: vscode.Uri): Promise<LinkedFile | undefined> {
  return (await linkedFiles()).find((file) => file.uri.toString() === uri.toString());
}

export async function saveLink(folder: vscode.WorkspaceFolder, link: FlowLink): Promise<void> {
  const links = withLink(await linksOf(folder), link);
  const uri = vscode.Uri.joinPath(folder.uri, linksFile);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(writeLinks(links)));
}

async function linksOf({ uri }: vscode.WorkspaceFolder): Promise<FlowLink[]> {
  return readLinks(await readText(vscode.Uri.joinPath(uri, linksFile)));
}

export async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/** Unsaved text, if any: after a change on disk, the editor rereads an open file only after a while. */
export async function currentText(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open?.isDirty ? open.getText() : ((await readText(uri)) ?? '');
}

/** The file's text as the user sees it; unsaved changes are saved first. */
export async function savedText(uri: vscode.Uri): Promise<string> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty && !(await saveDocument(document))) {
    throw new SwitchboardError('local-file', l10n.t("The file couldn't be saved. Nothing was pushed."));
  }
  return (await readText(uri)) ?? '';
}

/** Writes a pulled file, if the file policy lets a model edit it and the user has no unsaved changes in it. */
export async function writePulled(context: AppCommandContext, uri: vscode.Uri, text: string): Promise<void> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty) {
    throw new SwitchboardError(
      'local-file',
      l10n.t(
        '"{0}" has unsaved changes. Save or revert them, and pull again.',
        vscode.workspace.asRelativePath(uri),
      ),
    );
  }
  const { policy } = (await context.tools()).dependencies;
  const isThere = (await readText(uri)) !== undefined;
  const verdict = await policy.check(toPath(uri), isThere ? 'edit' : 'create');
  if (!verdict.isAllowed) throw new SwitchboardError('local-file', verdict.forUser);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

/** The signed-in platform of a link. The token goes to the origin it was issued for, whatever the link says. */
export async function serverOf(
  context: Pick<AppCommandContext, 'keys' | 'clients'>,
  { server, workspaceId }: Pick<FlowLink, 'server'> & Partial<Pick<FlowLink, 'workspaceId'>>,
): Promise<FlowServer> {
  const session = await new PlatformSessions(context.keys).read(server);
  if (!session || session.expiresAtMs <= Date.now()) {
    throw new SwitchboardError(
      'key',
      l10n.t('You are not signed in to {0}. Sign in, and try again.', server),
    );
  }
  return toServer(context, session, workspaceId);
}

async function toServer(
  { clients }: Pick<AppCommandContext, 'clients'>,
  { baseUrl, token, expiresAtMs, workspace }: PlatformSession,
  workspaceId = workspace.id,
): Promise<FlowServer> {
  const context = Object.assign(await clients.contextOf({ baseUrl, key: token }), { expiresAtMs });
  return { origin: new URL(baseUrl).origin, workspaceId, client: createOpenapiClient(context) };
}
