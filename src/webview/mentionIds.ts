import type { MentionOption } from '../shared/attachments.ts';

export const mentionListId = 'mentions';
export const mentionNoteId = 'mention-note';

/** The element id of an option. */
export function mentionOptionId(option: MentionOption): string {
  return `mention-${option.id}`;
}
