import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../../base/text/format.ts';
import type { KnowledgeDocument } from '../../../knowledge/documentList.ts';
import { describeBase } from '../../../knowledge/view/describeBase.ts';
import { describeStatus } from '../../../knowledge/view/describeStatus.ts';
import {
  type BaseNode,
  type ChunkNode,
  type DocumentNode,
  isHierarchical,
  type SegmentNode,
  type StuckNode,
  type TreeNode,
} from '../../../knowledge/view/treeNode.ts';
import { commandId, type TreeCommand, treeCommandId } from '../../ids.ts';
import { agentReason, scopeReason } from '../addKnowledgeBase.ts';
import { failureItem, moreItem, withIcon } from '../../tree/treeLines.ts';
import { assertNever } from '../../../base/errors/errors.ts';

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

/** Tree item of a node; `when` clauses of package.json test its `contextValue`. */
export function toTreeItem(node: TreeNode): vscode.TreeItem {
  switch (node.type) {
    case 'base':
      return baseItem(node);
    case 'document':
      return documentItem(node);
    case 'segment':
      return segmentItem(node);
    case 'chunk':
      return chunkItem(node);
    case 'stuck':
      return stuckItem(node);
    case 'more':
      return moreItem(node, treeCommandId('loadMore'), node);
    case 'failure':
      return failureItem(node.error, treeCommandId('retry'), node);
    case 'scope':
      return scopeItem();
    case 'note':
      return withIcon(new vscode.TreeItem(node.text, None), 'info');
    default:
      return assertNever(node);
  }
}

function stuckItem(node: StuckNode): vscode.TreeItem {
  const count = formatNumber(node.parent.stuck);
  const label = plural(
    node.parent.stuck,
    l10n.t('1 document is stuck: Re-upload'),
    l10n.t('{0} documents are stuck: Re-upload', count),
  );
  const item = withIcon(new vscode.TreeItem(label, None), 'warning', 'list.warningForeground');
  item.id = `stuck ${node.parent.dataset.id}`;
  item.accessibilityInformation = { label, role: 'treeitem' };
  item.tooltip = l10n.t(
    'No indexing progress for minutes. The platform may have lost these documents. Re-uploading them restarts indexing.',
  );
  item.command = command('resendStuck', l10n.t('Re-upload'), node);
  return item;
}

function scopeItem(): vscode.TreeItem {
  const item = withIcon(new vscode.TreeItem(l10n.t('Add Knowledge Base…'), None), 'add');
  item.id = 'scope';
  item.description = l10n.t("the key can't list all");
  item.tooltip = scopeReason();
  item.accessibilityInformation = { label: `${l10n.t('Add Knowledge Base…')}, ${scopeReason()}` };
  item.command = { command: commandId('addKnowledgeBase'), title: l10n.t('Add Knowledge Base…') };
  return item;
}

function baseItem({ dataset, links, keyword, stuck, search, sync }: BaseNode): vscode.TreeItem {
  const { isAgent } = dataset;
  const item = withIcon(
    new vscode.TreeItem(dataset.name, isAgent ? None : Collapsed),
    links.length > 0 ? 'sync' : 'library',
  );
  const folders = links.map(({ folder }) => folder || l10n.t('the workspace folder'));
  const description = [
    // A narrow side bar cuts off the end, so what needs action comes first.
    stuck > 0 && l10n.t('{0} stuck', formatNumber(stuck)),
    sync?.text,
    describeBase(dataset),
    keyword !== undefined && l10n.t('only "{0}"', keyword),
    search !== '' && l10n.t('search: {0}', search),
    folders.length > 0 && l10n.t('synced with {0}', folders.join(', ')),
  ]
    .filter(Boolean)
    .join(' · ');
  item.id = `base ${dataset.id}`;
  item.description = description;
  item.tooltip = [dataset.name, dataset.description, description, isAgent && agentReason()]
    .filter(Boolean)
    .join('\n');
  item.accessibilityInformation = { label: `${dataset.name}, ${description}` };
  item.contextValue = words(
    isAgent ? 'agentBase' : 'base',
    !isAgent && (dataset.isExternal ? 'external' : 'own'),
    !dataset.isUnsearchable && 'searchable',
    links.length > 0 && 'linked',
    keyword !== undefined && 'filtered',
    stuck > 0 && 'stuck',
    sync?.isOn === true && (sync.isPaused ? 'syncPaused' : 'syncing'),
    sync?.isOn === true && 'automatic',
  );
  return item;
}

function documentItem(node: DocumentNode): vscode.TreeItem {
  const { document, parent } = node;
  const { icon, color, words: state, explanation } = describeStatus(document.status);
  const { label, folder } = namesOf(document);
  const item = withIcon(new vscode.TreeItem(label, hasSegments(document) ? Collapsed : None), icon, color);
  item.id = `document ${parent.dataset.id} ${document.id}`;
  item.description = [state, folder].filter(Boolean).join(' · ');
  item.tooltip = [document.name, state, explanation, ...facts(document)].filter(Boolean).join('\n');
  item.accessibilityInformation = { label: `${document.name}, ${state}` };
  const isSent = document.record !== undefined;
  item.contextValue = words(
    'document',
    isSent && 'sent',
    document.origin !== undefined && 'local',
    isSent && (document.record?.isEnabled ? 'enabled' : 'disabled'),
  );
  return item;
}

function namesOf({ name, origin }: KnowledgeDocument): { label: string; folder: string } {
  const own = origin?.path ?? name;
  return {
    label: name.slice(name.lastIndexOf('/') + 1) || name,
    folder: own.slice(0, Math.max(0, own.lastIndexOf('/'))),
  };
}

function hasSegments({ record, status }: KnowledgeDocument): boolean {
  return record !== undefined && ['indexed', 'disabled', 'archived'].includes(status.type);
}

function facts({ record, origin }: KnowledgeDocument): (string | false)[] {
  return [
    origin !== undefined && l10n.t('From {0}', origin.path),
    record?.wordCount !== undefined && wordsOf(record.wordCount),
    record?.hitCount !== undefined &&
      plural(record.hitCount, l10n.t('Found once'), l10n.t('Found {0} times', formatNumber(record.hitCount))),
  ];
}

function segmentItem(node: SegmentNode): vscode.TreeItem {
  const { segment, parent } = node;
  const canExpand = isHierarchical(parent);
  const text = oneLine(segment.content);
  const item = withIcon(
    new vscode.TreeItem(text || l10n.t('(empty)'), canExpand ? Collapsed : None),
    segment.isEnabled ? 'note' : 'eye-closed',
  );
  const description = [
    segment.wordCount !== undefined && wordsOf(segment.wordCount),
    !segment.isEnabled && l10n.t('disabled'),
    segment.status === 'error' && l10n.t('failed: {0}', segment.error ?? ''),
  ]
    .filter(Boolean)
    .join(' · ');
  item.id = `segment ${parent.document.id} ${segment.id}`;
  item.description = description;
  item.tooltip = [segment.content, segment.answer, segment.keywords.map((word) => `#${word}`).join(' ')]
    .filter(Boolean)
    .join('\n\n');
  item.accessibilityInformation = {
    label: l10n.t('Segment {0}: {1}', segment.position ?? '', `${text}, ${description}`),
  };
  item.contextValue = words('segment', segment.isEnabled ? 'enabled' : 'disabled', canExpand && 'parent');
  item.command = command('openSegment', l10n.t('Open Segment'), node);
  return item;
}

function chunkItem({ chunk }: ChunkNode): vscode.TreeItem {
  const item = withIcon(new vscode.TreeItem(oneLine(chunk.content), None), 'symbol-string');
  item.id = `chunk ${chunk.id}`;
  item.tooltip = chunk.content;
  if (chunk.wordCount !== undefined) item.description = wordsOf(chunk.wordCount);
  item.contextValue = 'chunk';
  return item;
}

function wordsOf(count: number): string {
  return plural(count, l10n.t('1 word'), l10n.t('{0} words', formatNumber(count)));
}

function command(name: TreeCommand, title: string, node: TreeNode): vscode.Command {
  return { command: treeCommandId(name), title, arguments: [node] };
}

function words(...parts: (string | false)[]): string {
  return parts.filter(Boolean).join(' ');
}

function oneLine(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 100).trimEnd()}…` : line;
}
