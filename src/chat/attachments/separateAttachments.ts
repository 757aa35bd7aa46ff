import { type Attachment, attachmentKinds } from './attachment.ts';

const block = /^<attachment ([^\n>]*)>\n([\s\S]*?)\n<\/attachment>(?:\n\n|$)/;

/**
 * What `withAttachments` made of a message, taken apart again: an app's platform keeps only the whole. Of attachments
 * that were cut everything is words.
 */
export function separateAttachments(whole: string): { text: string; attachments: Attachment[] } {
  const attachments: Attachment[] = [];
  let text = whole;
  for (let found = block.exec(text); found; found = block.exec(text)) {
    const [all, attributes = '', inside = ''] = found;
    attachments.push(toAttachment(attributes, inside));
    text = text.slice(all.length);
  }
  return { text, attachments };
}

/** Whether a name was made from what was put before the words. */
export function beginsWithAttachment(name: string): boolean {
  return name.startsWith('<attachment ');
}

/** A name that was made from the beginning of such a message, without what stands before the words. */
export function nameWithoutAttachments(name: string): string {
  const { text, attachments } = separateAttachments(name);
  if (text && !beginsWithAttachment(text)) return text;
  // Cut off within an attachment, whose path or name says more than the tag.
  const beginning = attachments[0]?.label ?? /\b(?:path|name)="([^"]+)"/.exec(name)?.[1];
  return beginning === undefined ? name : plain(beginning);
}

function toAttachment(attributes: string, inside: string): Attachment {
  const values = new Map(
    [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, plain(value)]),
  );
  const kind = attachmentKinds.find((each) => each === values.get('kind')) ?? 'text';
  const path = values.get('path');
  const lines = /^(\d+)-(\d+)(?: of (\d+))?$/.exec(values.get('lines') ?? '');
  return {
    kind,
    label: values.get('name') ?? path?.slice(path.lastIndexOf('/') + 1) ?? kind,
    ...(path !== undefined && { path }),
    ...(lines && {
      lines: {
        first: Number(lines[1]),
        last: Number(lines[2]),
        ...(lines[3] !== undefined && { total: Number(lines[3]) }),
      },
    }),
    text: inside,
  };
}

/** What `withAttachments` puts for what would end an attribute. */
const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity);
}
