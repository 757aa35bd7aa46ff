import { hasType } from '../../../base/json.ts';
import * as vscode from 'vscode';
import type { TreeNode } from '../../../knowledge/view/treeNode.ts';
import type { Dataset } from '../../../platform/records.ts';
import type { TreeCommand } from '../../ids.ts';
import { copyId } from '../../tree/treeLines.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';
import { removeAddedBase } from '../addKnowledgeBase.ts';
import { searchKnowledgeBase } from '../searchKnowledgeBase.ts';
import { syncFolder, unlinkFolder } from '../syncFolder.ts';
import { addFilesTo, deleteBase, editBase, filterDocuments, renameBase } from './baseActions.ts';
import {
  deleteDocuments,
  openDocument,
  resendDocuments,
  resendStuck,
  revealFile,
  setEnabled,
} from './documentActions.ts';
import { downloadDocument, downloadDocuments } from './downloadDocument.ts';
import { editFields, editMetadata } from './editMetadata.ts';
import { editSearch } from './editSearch.ts';
import { editTags } from './editTags.ts';
import type { KnowledgeTree } from './knowledgeTree.ts';
import { deletePieces, openSegment, setSegmentsEnabled } from './segmentActions.ts';
import type { SegmentEditor } from './segmentEditor.ts';

export interface TreeParts {
  context: KnowledgeCommandContext;
  tree: KnowledgeTree;
  editor: SegmentEditor;
}

const baseCommands = {
  filter: filterDocuments,
  clearFilter: async ({ knowledge }, { id }) => knowledge.documents(id).filter(undefined),
  sync: (context, dataset) => syncFolder(context, { dataset }),
  search: searchKnowledgeBase,
  renameBase,
  editBase,
  editTags,
  editFields,
  editSearch,
  deleteBase,
  removeBase: removeAddedBase,
} satisfies Partial<
  Record<TreeCommand, (context: KnowledgeCommandContext, dataset: Dataset) => Promise<unknown>>
>;

function isBaseCommand(command: TreeCommand): command is TreeCommand & keyof typeof baseCommands {
  return Object.hasOwn(baseCommands, command);
}

export async function runTreeCommand(
  command: TreeCommand,
  { context, tree, editor }: TreeParts,
  args: readonly unknown[],
): Promise<unknown> {
  const nodes = nodesOf(args);
  const [node] = nodes;
  const documents = nodes.filter((each) => each.type === 'document');
  const segments = nodes.filter((each) => each.type === 'segment');
  const pieces = nodes.filter((each) => each.type === 'segment' || each.type === 'chunk');
  if (isBaseCommand(command)) {
    return node?.type === 'base' ? baseCommands[command](context, node.dataset) : undefined;
  }
  switch (command) {
    case 'refresh':
      await tree.refresh(isPaged(node) ? node : undefined);
      return true;
    case 'refreshAll':
      // For a view's title command, the editor passes the selection, which is irrelevant.
      await tree.refresh();
      return true;
    case 'loadMore':
    case 'retry':
      if (node?.type !== 'more' && node?.type !== 'failure') return false;
      await tree.loadMore(node.parent);
      return true;
    case 'addFiles':
      return addFilesTo(context, node?.type === 'base' ? node.dataset : undefined);
    case 'unlink': {
      const isUnlinked = node?.type === 'base' ? await unlinkFolder(context, node.dataset) : undefined;
      if (isUnlinked) await tree.refresh();
      return isUnlinked;
    }
    case 'copyId':
      return copyId(node && idOf(node));
    case 'openDocument':
      return node?.type === 'document' && openDocument(context, node);
    case 'downloadDocument':
      return node?.type === 'document' && downloadDocument(context, node);
    case 'downloadDocuments':
      return downloadDocuments(context, documents);
    case 'revealFile':
      return node?.type === 'document' && revealFile(context, node);
    case 'resend':
      return resendDocuments(context, documents);
    case 'resendStuck': {
      const base = node?.type === 'stuck' ? node.parent : node;
      return base?.type === 'base' ? resendStuck(context, base.dataset) : undefined;
    }
    case 'enable':
    case 'disable':
      return documents.length > 0
        ? setEnabled(context, documents, command === 'enable')
        : setSegmentsEnabled(context, tree, segments, command === 'enable');
    case 'editMetadata':
      return editMetadata(context, documents);
    case 'delete':
      return documents.length > 0 ? deleteDocuments(context, documents) : deletePieces(context, tree, pieces);
    case 'openSegment':
      return node?.type === 'segment' && openSegment(context, node);
    case 'addSegment':
      return node?.type === 'document' && editor.addSegment(node);
    case 'editSegment':
      if (node?.type === 'segment') return editor.editSegment(node);
      return node?.type === 'chunk' && editor.editChunk(node);
    case 'addChunk':
      return node?.type === 'segment' && editor.addChunk(node);
    case 'sendSegment':
      return editor.send(context, tree, args[0] instanceof vscode.Uri ? args[0] : undefined);
  }
}

function nodesOf([clicked, selected]: readonly unknown[]): TreeNode[] {
  const all = Array.isArray(selected) ? selected.filter(isNode) : [];
  if (!isNode(clicked)) return all;
  return all.includes(clicked) ? [clicked, ...all.filter((node) => node !== clicked)] : [clicked];
}

function isNode(value: unknown): value is TreeNode {
  return hasType<TreeNode>(value, [
    'base',
    'document',
    'segment',
    'chunk',
    'stuck',
    'more',
    'failure',
    'note',
  ]);
}

function isPaged(node: TreeNode | undefined) {
  return node?.type === 'base' || node?.type === 'document' || node?.type === 'segment';
}

function idOf(node: TreeNode): string | undefined {
  switch (node.type) {
    case 'base':
      return node.dataset.id;
    case 'document':
      return node.document.id;
    case 'segment':
      return node.segment.id;
    case 'chunk':
      return node.chunk.id;
    default:
      return undefined;
  }
}
