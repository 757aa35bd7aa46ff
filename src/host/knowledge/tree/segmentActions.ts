import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../../base/text/format.ts';
import {
  type ChunkNode,
  placeOfDocument,
  placeOfSegment,
  type SegmentNode,
} from '../../../knowledge/view/treeNode.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';
import type { KnowledgeTree } from './knowledgeTree.ts';
import { confirmModal } from '../../ui/modals.ts';

export async function openSegment({ sources }: KnowledgeCommandContext, node: SegmentNode): Promise<boolean> {
  const { parent, segment } = node;
  const names = { base: parent.parent.dataset.name, document: parent.document.name };
  await sources.showSegment(placeOfDocument(parent), names, segment);
  return true;
}

export async function setSegmentsEnabled(
  { notifications, client }: KnowledgeCommandContext,
  tree: KnowledgeTree,
  nodes: readonly SegmentNode[],
  isEnabled: boolean,
): Promise<number> {
  const count = formatNumber(nodes.length);
  const title = isEnabled
    ? plural(nodes.length, l10n.t('Enabling 1 segment…'), l10n.t('Enabling {0} segments…', count))
    : plural(nodes.length, l10n.t('Disabling 1 segment…'), l10n.t('Disabling {0} segments…', count));
  await withProgress(notifications, title, async (signal) => {
    for (const { parent, segment } of nodes) {
      await client.segments.update(placeOfDocument(parent), segment.id, { isEnabled }, signal);
    }
  });
  await refreshParents(tree, nodes);
  return nodes.length;
}

export async function deletePieces(
  { notifications, client }: KnowledgeCommandContext,
  tree: KnowledgeTree,
  nodes: readonly (SegmentNode | ChunkNode)[],
): Promise<number> {
  const count = formatNumber(nodes.length);
  const question = plural(
    nodes.length,
    l10n.t('Delete this segment from the platform?'),
    l10n.t('Delete {0} segments from the platform?', count),
  );
  const detail = l10n.t('This cannot be undone. Uploading the document again recreates its segments.');
  if (!(await confirmModal(question, l10n.t('Delete'), detail))) return 0;
  await withProgress(
    notifications,
    plural(nodes.length, l10n.t('Deleting 1 segment…'), l10n.t('Deleting {0} segments…', count)),
    async (signal) => {
      for (const node of nodes) {
        if (node.type === 'segment') {
          await client.segments.delete(placeOfDocument(node.parent), node.segment.id, signal);
        } else {
          await client.childChunks.delete(placeOfSegment(node.parent), node.chunk.id, signal);
        }
      }
    },
  );
  await refreshParents(tree, nodes);
  return nodes.length;
}

async function refreshParents(
  tree: KnowledgeTree,
  nodes: readonly (SegmentNode | ChunkNode)[],
): Promise<void> {
  for (const parent of new Set(nodes.map((node) => node.parent))) await tree.refresh(parent);
}
