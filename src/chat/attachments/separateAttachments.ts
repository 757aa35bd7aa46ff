import { type Frame, readFacts, readFrame } from '../../base/text/frame.ts';
import type { Attachment } from './attachment.ts';
import { attachmentKinds } from './attachmentKinds.ts';
import * as l10n from '@vscode/l10n';
import type { AppConversation } from '../../apps/app.ts';

/** Inverse of `withAttachments`. Truncated attachments are treated as text. */
export function separateAttachments(whole: string): { text: string; attachments: Attachment[] } {
  const attachments: Attachment[] = [];
  let text = whole;
  for (let found = readFrame(text); found?.kind === 'attachment'; found = readFrame(text)) {
    const [gap] = /^(?:\n\n|$)/.exec(text.slice(found.end)) ?? [];
    if (gap === undefined) break;
    attachments.push(toAttachment(found));
    text = text.slice(found.end + gap.length);
  }
  return { text, attachments };
}

export function beginsWithAttachment(name: string): boolean {
  return /^<attachment-[0-9a-f]+ /.test(name);
}

export function nameWithoutAttachments(name: string): string {
  const { text, attachments } = separateAttachments(name);
  if (text && !beginsWithAttachment(text)) return text;
  if (attachments[0]) return attachments[0].label;
  // Truncated within an attachment: its path or name is more telling than the tag.
  const { path, name: own } = beginsWithAttachment(name) ? readFacts(name.split('\n', 1)[0] ?? '') : {};
  return path ?? own ?? name;
}

function toAttachment({ facts, body }: Frame): Attachment {
  const kind = attachmentKinds.find((each) => each === facts['kind']) ?? 'text';
  const { path } = facts;
  const lines = /^(\d+)-(\d+)(?: of (\d+))?$/.exec(facts['lines'] ?? '');
  return {
    kind,
    label: facts['name'] ?? path?.slice(path.lastIndexOf('/') + 1) ?? kind,
    ...(path !== undefined && { path }),
    ...(lines && {
      lines: {
        first: Number(lines[1]),
        last: Number(lines[2]),
        ...(lines[3] !== undefined && { total: Number(lines[3]) }),
      },
    }),
    text: body,
  };
}

export function conversationName({ name }: AppConversation): string {
  return nameWithoutAttachments(name) || l10n.t('(no name)');
}
