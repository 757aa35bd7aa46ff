import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { isCancelled } from '../../../base/errors/errors.ts';
import type { DocumentsState, KnowledgeDocument } from '../../../knowledge/documentList.ts';
import {
  type BaseNode,
  type DocumentNode,
  isHierarchical,
  type PagedNode,
  placeOfDocument,
  placeOfSegment,
  type SegmentNode,
  type TreeNode,
} from '../../../knowledge/view/treeNode.ts';
import { describeSearch } from '../../../knowledge/view/describeSearch.ts';
import { PagedList } from '../../../platform/pagedList.ts';
import type { ChildChunk, Segment } from '../../../platform/records.ts';
import { contextKey } from '../../ids.ts';
import type { FoldersInStep } from '../autoSync/foldersInStep.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';
import { toTreeItem } from './knowledgeTreeItem.ts';

const pageSize = 50;

export class KnowledgeTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changes = this.disposables.add(new vscode.EventEmitter<TreeNode | undefined>());
  readonly onDidChangeTreeData = this.changes.event;

  private readonly bases = new Map<string, BaseNode>();
  /** By knowledge base id, then by document id. */
  private readonly documents = new Map<string, Map<string, DocumentNode>>();
  /** By document id; `version` tells if the list is outdated. */
  private readonly segments = new Map<string, { version: string; list: PagedList<Segment> }>();
  private readonly chunks = new Map<string, PagedList<ChildChunk>>();
  private readonly loading = new Map<string, Promise<void>>();
  private readonly ending = new AbortController();

  constructor(
    private readonly context: KnowledgeCommandContext,
    private readonly folders: FoldersInStep,
  ) {
    this.disposables.add(
      folders.onDidChange((datasetId) => {
        const base = this.bases.get(datasetId);
        if (!base) return;
        base.sync = folders.statusOf(base.links);
        this.changes.fire(base);
      }),
    );
    this.disposables.add(
      context.knowledge.onDidChange(({ datasetId }) => {
        const base = datasetId === undefined ? undefined : this.bases.get(datasetId);
        if (base) base.stuck = context.knowledge.documents(base.dataset.id).stuck.length;
        if (base || datasetId === undefined) this.changes.fire(base);
      }),
    );
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return toTreeItem(node);
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return 'parent' in node ? node.parent : undefined;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    switch (node?.type) {
      case undefined:
        return this.baseNodes();
      case 'base':
        return this.documentNodes(node);
      case 'document':
        return this.segmentNodes(node);
      case 'segment':
        return this.chunkNodes(node);
      default:
        return [];
    }
  }

  async refresh(node?: PagedNode): Promise<void> {
    const { knowledge } = this.context;
    const { signal } = this.ending;
    if (!node) {
      await this.quietly(knowledge.bases.load(signal));
      await Promise.all(
        [...this.documents.keys()].map((id) => this.quietly(knowledge.documents(id).reload(signal))),
      );
      this.segments.clear();
      this.chunks.clear();
    } else if (node.type === 'base') {
      for (const id of this.documents.get(node.dataset.id)?.keys() ?? []) this.forgetSegments(id);
      await this.quietly(knowledge.documents(node.dataset.id).reload(signal));
    } else if (node.type === 'document') this.forgetSegments(node.document.id);
    else this.chunks.delete(node.segment.id);
    this.changes.fire(node);
  }

  async loadMore(node: PagedNode | undefined): Promise<void> {
    const { knowledge } = this.context;
    const { signal } = this.ending;
    if (!node) await this.quietly(knowledge.bases.load(signal));
    else if (node.type === 'base') await this.quietly(knowledge.documents(node.dataset.id).load(signal));
    else if (node.type === 'document') await this.segmentsOf(node).loadNext();
    else await this.chunksOf(node).loadNext();
    this.changes.fire(node);
  }

  dispose(): void {
    this.ending.abort();
    this.disposables.dispose();
  }

  private async baseNodes(): Promise<TreeNode[]> {
    const { knowledge } = this.context;
    if (knowledge.bases.state.type === 'notLoaded') {
      await this.once('', () => knowledge.bases.load(this.ending.signal));
    }
    const bases = knowledge.bases.state;
    const links = await knowledge.links.all();
    const isNone = bases.type === 'ready' && bases.datasets.length === 0;
    const { isScoped = false } = bases;
    void vscode.commands.executeCommand('setContext', contextKey('scopedKey'), isScoped);
    void vscode.commands.executeCommand('setContext', contextKey('noKnowledgeBases'), isNone && !isScoped);
    const nodes = bases.datasets.map((dataset): BaseNode => {
      const { keyword, stuck } = knowledge.documents(dataset.id).state;
      const ofBase = links.filter(({ datasetId }) => datasetId === dataset.id);
      const search = describeSearch(knowledge.searchSettings(dataset.id));
      const sync = this.folders.statusOf(ofBase);
      const content = { dataset, links: ofBase, keyword, stuck: stuck.length, search, sync };
      return upToDate(this.bases, dataset.id, { type: 'base', ...content });
    });
    const known = new Set(bases.datasets.map(({ id }) => id));
    for (const id of this.bases.keys()) if (!known.has(id)) this.bases.delete(id);
    return [
      ...(bases.error ? [{ type: 'failure' as const, error: bases.error }] : []),
      ...nodes,
      ...(isScoped ? [{ type: 'scope' as const }] : []),
    ];
  }

  private async documentNodes(base: BaseNode): Promise<TreeNode[]> {
    const { knowledge } = this.context;
    const { id } = base.dataset;
    if (knowledge.documents(id).state.type === 'notLoaded' || this.loading.has(id)) {
      await this.once(id, () => knowledge.documents(id).load(this.ending.signal));
    }
    const state = knowledge.documents(id).state;
    const before = this.documents.get(id);
    const now = new Map<string, DocumentNode>();
    for (const document of state.documents) {
      const node = before?.get(document.id) ?? { type: 'document', parent: base, document };
      node.document = document;
      now.set(document.id, node);
    }
    this.documents.set(id, now);
    const nodes: TreeNode[] = [...now.values()];
    if (state.stuck.length > 0) nodes.unshift({ type: 'stuck', parent: base });
    if (state.error) nodes.push({ type: 'failure', parent: base, error: state.error });
    else if (state.hasMore) {
      nodes.push({ type: 'more', parent: base, shown: now.size, total: state.total });
    } else if (nodes.length === 0 && state.type === 'ready') {
      nodes.push({ type: 'note', parent: base, text: noDocuments(state) });
    }
    return nodes;
  }

  private async segmentNodes(node: DocumentNode): Promise<TreeNode[]> {
    const list = this.segmentsOf(node);
    await list.ensure();
    const nodes = list.items.map((segment): TreeNode => ({ type: 'segment', parent: node, segment }));
    return withRest(nodes, node, list);
  }

  private async chunkNodes(node: SegmentNode): Promise<TreeNode[]> {
    if (!isHierarchical(node.parent)) return [];
    const list = this.chunksOf(node);
    await list.ensure();
    const nodes = list.items.map((chunk): TreeNode => ({ type: 'chunk', parent: node, chunk }));
    return withRest(nodes, node, list);
  }

  private segmentsOf(node: DocumentNode): PagedList<Segment> {
    const { document } = node;
    const version = versionOf(document);
    const kept = this.segments.get(document.id);
    if (kept?.version === version) return kept.list;
    const { segments } = this.context.client;
    const list = new PagedList(
      (page) => segments.list(placeOfDocument(node), { page, limit: pageSize }, this.ending.signal),
      ({ id }) => id,
    );
    this.segments.set(document.id, { version, list });
    return list;
  }

  private chunksOf(node: SegmentNode): PagedList<ChildChunk> {
    const kept = this.chunks.get(node.segment.id);
    if (kept) return kept;
    const { childChunks } = this.context.client;
    const list = new PagedList(
      (page) => childChunks.list(placeOfSegment(node), { page, limit: pageSize }, this.ending.signal),
      ({ id }) => id,
    );
    this.chunks.set(node.segment.id, list);
    return list;
  }

  private forgetSegments(documentId: string): void {
    for (const { id } of this.segments.get(documentId)?.list.items ?? []) this.chunks.delete(id);
    this.segments.delete(documentId);
  }

  private async once(key: string, load: () => Promise<unknown>): Promise<void> {
    let loading = this.loading.get(key);
    if (!loading) {
      loading = this.quietly(load()).finally(() => this.loading.delete(key));
      this.loading.set(key, loading);
    }
    await loading;
  }

  /** Errors are part of the state that `Knowledge` keeps, and shown from there. */
  private async quietly(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => {
      if (!isCancelled(error)) this.context.log.warn(`Knowledge bases: ${String(error)}`);
    });
  }
}

function upToDate<T extends object>(known: Map<string, T>, id: string, content: T): T {
  const node = known.get(id);
  if (node) return Object.assign(node, content);
  known.set(id, content);
  return content;
}

function versionOf({ record, status }: KnowledgeDocument): string {
  return [
    record?.uploadFileId,
    record?.createdAtMs,
    status.type,
    'segments' in status && status.segments,
  ].join(' ');
}

function withRest(
  nodes: TreeNode[],
  parent: DocumentNode | SegmentNode,
  { hasMore, total, error }: Pick<PagedList<unknown>, 'hasMore' | 'total' | 'error'>,
): TreeNode[] {
  if (error) return [...nodes, { type: 'failure', parent, error }];
  if (hasMore) return [...nodes, { type: 'more', parent, shown: nodes.length, total }];
  return nodes.length > 0 ? nodes : [{ type: 'note', parent, text: l10n.t('Nothing here.') }];
}

function noDocuments({ keyword }: DocumentsState): string {
  return keyword === undefined ? l10n.t('No documents yet.') : l10n.t('No documents match "{0}".', keyword);
}
