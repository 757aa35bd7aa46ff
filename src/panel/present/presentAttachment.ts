import * as l10n from '@vscode/l10n';
import type { Attachment, AttachmentSource } from '../../chat/attachments/attachment.ts';
import type { AttachmentTarget } from '../../chat/attachments/attachmentTarget.ts';
import { describeSource } from '../../chat/attachments/refusedAttachment.ts';
import type { ChatItem } from '../../chat/conversation/items.ts';
import { estimateTokens } from '../../chat/context/tokenEstimate.ts';
import type { AttachmentChip } from '../../shared/attachments.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { formatSize } from '../../base/text/formatSize.ts';
import { formatCompact } from '../../base/text/formatUsage.ts';

export function toChip(id: string, attachment: Attachment, model?: AttachmentTarget): AttachmentChip {
  const { kind, label, path, lines, notes = [], refusal } = attachment;
  const detail = detailOf(attachment);
  const size = sizeOf(attachment);
  const { text } = attachment;
  const isPlace = path !== undefined && !refusal && kind !== 'folder' && kind !== 'problems';
  return {
    id,
    kind,
    label,
    ...(detail && { detail }),
    ...(size && { size }),
    ...(size && text !== undefined && { tokens: approximateTokens(text) }),
    notes: [...notes, ...secretNotes(attachment), ...imageNotes(attachment, model)],
    // A terminal's secrets were redacted when it was read.
    ...(attachment.redacted && kind !== 'terminal' && { isRedacted: true }),
    ...(refusal && { problem: refusal.forUser }),
    ...(isPlace && { location: { path, ...(lines && { line: lines.first, endLine: lines.last }) } }),
  };
}

export function toPendingChip(id: string, source: AttachmentSource): AttachmentChip {
  const { kind, label } = describeSource(source);
  return { id, kind, label, detail: l10n.t('reading…'), notes: [] };
}

function detailOf({ kind, lines, text, image, upload }: Attachment): string | undefined {
  if (upload && text === undefined && !image) return l10n.t('as a file');
  if (kind === 'folder') return l10n.t('list of its files');
  if (!lines) return undefined;
  const { first, last, total } = lines;
  const [from, to] = [formatNumber(first), formatNumber(last)];
  if (total !== undefined) return l10n.t('lines {0}–{1} of {2}', from, to, formatNumber(total));
  return first === last ? l10n.t('line {0}', from) : l10n.t('lines {0}–{1}', from, to);
}

function sizeOf({ text, image, upload, refusal }: Attachment): string | undefined {
  if (upload?.bytes !== undefined && !refusal) return formatSize(upload.bytes);
  if (image) return formatSize(image.bytes);
  return text === undefined ? undefined : formatSize(Buffer.byteLength(text));
}

function approximateTokens(text: string): string {
  return l10n.t('about {0} tokens', formatCompact(estimateTokens(text)));
}

function secretNotes({ redacted = 0, unredacted = 0 }: Attachment): string[] {
  if (redacted > 0) {
    return [
      plural(redacted, l10n.t('1 secret redacted'), l10n.t('{0} secrets redacted', formatNumber(redacted))),
    ];
  }
  if (unredacted === 0) return [];
  return [
    plural(
      unredacted,
      l10n.t('Includes 1 secret, unredacted'),
      l10n.t('Includes {0} secrets, unredacted', formatNumber(unredacted)),
    ),
  ];
}

function imageNotes({ image }: Attachment, model: AttachmentTarget | undefined): string[] {
  if (!image || !model || model.vision !== undefined) return [];
  return [l10n.t('Image support of {0} is unknown.', model.name)];
}

export function sentChipId(item: string, index: number): string {
  return `${item}.${index}`;
}

export function sentImage(items: readonly ChatItem[], chipId: string): Attachment['image'] {
  const sent = items.flatMap((item) =>
    item.type === 'user'
      ? (item.attachments ?? []).map((each, n) => [sentChipId(item.id, n), each] as const)
      : [],
  );
  return sent.find(([id]) => id === chipId)?.[1].image;
}
