import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Notifications } from '../../ui/notifications.ts';
import {
  type ChunkNode,
  type DocumentNode,
  isHierarchical,
  placeOfDocument,
  placeOfSegment,
  type SegmentNode,
} from '../../../knowledge/view/treeNode.ts';
import type { NewSegment } from '../../../platform/documents/segments.ts';
import type { SegmentPlace } from '../../../platform/documents/childChunks.ts';
import { FlatFileSystem } from '../../ui/flatFileSystem.ts';
import { segmentScheme, treeCommandId } from '../../ids.ts';
import { tabsOf } from '../../ui/tabs.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';
import type { KnowledgeTree } from './knowledgeTree.ts';
import { confirmModal } from '../../ui/modals.ts';

type Edited =
  | { type: 'segment'; document: DocumentNode; id?: string; answer?: string }
  | { type: 'chunk'; segment: SegmentNode; id?: string };

interface Draft {
  edited: Edited;
  text: Uint8Array;
  isChanged: boolean;
  mtime: number;
}

/** Saving keeps the text here, since editors auto-save; a command sends it to the platform. */
export class SegmentEditor extends FlatFileSystem implements vscode.Disposable {
  private readonly drafts = new Map<string, Draft>();
  private readonly disposables: vscode.Disposable[] = [
    this.changes,
    vscode.workspace.registerFileSystemProvider(segmentScheme, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.drafts.delete(uri.toString())),
  ];
  private nextNew = 1;

  constructor(private readonly notifications: Notifications) {
    super();
  }

  editSegment({ parent, segment }: SegmentNode): Promise<void> {
    const { id, content, answer, position } = segment;
    const edited: Edited = { type: 'segment', document: parent, id, ...(answer !== undefined && { answer }) };
    return this.open(edited, l10n.t('segment {0}', position ?? id), content);
  }

  addSegment(document: DocumentNode): Promise<void> {
    return this.open({ type: 'segment', document }, l10n.t('new segment {0}', this.nextNew++), '');
  }

  editChunk({ parent, chunk }: ChunkNode): Promise<void> {
    const edited: Edited = { type: 'chunk', segment: parent, id: chunk.id };
    return this.open(edited, l10n.t('child chunk {0}', chunk.position ?? chunk.id), chunk.content);
  }

  addChunk(segment: SegmentNode): Promise<void> {
    return this.open({ type: 'chunk', segment }, l10n.t('new child chunk {0}', this.nextNew++), '');
  }

  async send(context: KnowledgeCommandContext, tree: KnowledgeTree, from?: vscode.Uri): Promise<boolean> {
    const uri = from ?? vscode.window.activeTextEditor?.document.uri;
    const draft = uri && this.drafts.get(uri.toString());
    if (!uri || !draft) return false;
    const document = await vscode.workspace.openTextDocument(uri);
    const text = document.getText();
    if (!text.trim()) {
      void context.notifications.warning(l10n.t("A segment can't be empty. Delete it in the tree instead."));
      return false;
    }
    const isSent = await (draft.edited.type === 'segment'
      ? sendSegment(context, draft.edited, text)
      : sendChunk(context, draft.edited, text));
    if (!isSent) return false;
    if (document.isDirty) await document.save();
    draft.isChanged = false;
    const parent = draft.edited.type === 'segment' ? draft.edited.document : draft.edited.segment;
    await tree.refresh(parent);
    // The new segment has an id now; sending the draft again would add another.
    if (draft.edited.id === undefined) await vscode.window.tabGroups.close(tabsOf(uri));
    return true;
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { text, mtime } = this.draftOf(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: text.length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.draftOf(uri).text;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const draft = this.draftOf(uri);
    draft.text = content;
    draft.mtime++;
    if (!draft.isChanged) this.offerToSend(uri);
    draft.isChanged = true;
  }

  dispose(): void {
    for (const each of this.disposables) each.dispose();
  }

  private async open(edited: Edited, name: string, text: string): Promise<void> {
    const document = edited.type === 'segment' ? edited.document : edited.segment.parent;
    const { dataset } = document.parent;
    const uri = vscode.Uri.from({
      scheme: segmentScheme,
      path: `/${dataset.name.replaceAll('/', '-')}/${document.document.name}/${name}`,
      query: edited.id ?? '',
    });
    if (!this.drafts.has(uri.toString())) {
      this.drafts.set(uri.toString(), {
        edited,
        text: new TextEncoder().encode(text),
        isChanged: false,
        mtime: 1,
      });
    }
    await vscode.window.showTextDocument(uri, { preview: false });
  }

  private draftOf(uri: vscode.Uri): Draft {
    const draft = this.drafts.get(uri.toString());
    if (!draft) throw vscode.FileSystemError.FileNotFound(uri);
    return draft;
  }

  private offerToSend(uri: vscode.Uri): void {
    const send = l10n.t('Send');
    void this.notifications
      .information(l10n.t('The change is saved in this window only. Upload it to the knowledge base?'), send)
      .then((answer) => {
        if (answer === send) void vscode.commands.executeCommand(treeCommandId('sendSegment'), uri);
      });
  }
}

async function sendSegment(
  { notifications, client }: KnowledgeCommandContext,
  { document, id, answer }: Extract<Edited, { type: 'segment' }>,
  content: string,
): Promise<boolean> {
  const place = placeOfDocument(document);
  const { name } = document.document;
  if (id === undefined) {
    const segment = await withAnswer(document, content);
    if (!segment) return false;
    await withProgress(notifications, l10n.t('Adding a segment to {0}…', name), (signal) =>
      client.segments.create(place, [segment], signal),
    );
    return true;
  }
  const question = l10n.t('Replace this segment of "{0}" on the platform?', name);
  const hasChildren = isHierarchical(document);
  const detail = hasChildren
    ? l10n.t(
        'Its child chunks are created again: those added or changed by hand are deleted. The file in this workspace is not changed.',
      )
    : l10n.t('The file in this workspace is not changed. Uploading it again replaces the segment.');
  if (!(await confirmModal(question, l10n.t('Replace'), detail))) return false;
  await withProgress(notifications, l10n.t('Changing a segment of {0}…', name), (signal) =>
    client.segments.update(
      place,
      id,
      {
        content,
        ...(answer !== undefined && { answer }),
        ...(hasChildren && { regenerateChildChunks: true }),
      },
      signal,
    ),
  );
  return true;
}

/** Segments of a Q&A document need an answer each. */
async function withAnswer(document: DocumentNode, content: string): Promise<NewSegment | undefined> {
  const form = document.document.record?.form ?? document.parent.dataset.form;
  if (form !== 'qa_model') return { content };
  const answer = await vscode.window.showInputBox({ title: l10n.t('The answer to this question') });
  return answer ? { content, answer } : undefined;
}

async function sendChunk(
  { notifications, client }: KnowledgeCommandContext,
  { segment, id }: Extract<Edited, { type: 'chunk' }>,
  content: string,
): Promise<boolean> {
  const place: SegmentPlace = placeOfSegment(segment);
  await withProgress(notifications, l10n.t('Uploading a child chunk…'), (signal) =>
    id === undefined
      ? client.childChunks.create(place, content, signal)
      : client.childChunks.update(place, id, content, signal),
  );
  return true;
}
