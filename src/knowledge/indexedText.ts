import * as l10n from '@vscode/l10n';
import type { PlatformClient } from '../platform/platformClient.ts';
import type { DocumentPlace } from '../platform/documents/segments.ts';
import type { Segment } from '../platform/records.ts';
import { eachPage } from '../platform/platformWire.ts';

export async function readIndexedText(
  client: Pick<PlatformClient, 'segments'>,
  place: DocumentPlace,
  signal: AbortSignal,
  onProgress?: (read: number, total: number | undefined) => void,
): Promise<string> {
  const segments: Segment[] = [];
  let total: number | undefined;
  const pages = eachPage(async (query) => {
    const page = await client.segments.list(place, query, signal);
    total = page.total;
    return page;
  });
  for await (const items of pages) {
    segments.push(...items);
    onProgress?.(segments.length, total);
  }
  if (segments.length === 0) return l10n.t('This document has no segments.');
  return segments
    .map((segment, index) => `${headOf(segment, index)}\n\n${segmentText(segment)}\n`)
    .join('\n');
}

function headOf({ position, isEnabled }: Segment, index: number): string {
  const number = position ?? index + 1;
  return `──── ${isEnabled ? number : l10n.t('{0}, disabled', number)} ────`;
}

export function segmentText({ content, answer }: Segment): string {
  return answer ? `${content}\n\n${answer}` : content;
}
