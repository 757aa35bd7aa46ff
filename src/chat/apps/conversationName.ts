import * as l10n from '@vscode/l10n';
import type { AppConversation } from '../../apps/app.ts';
import { nameWithoutAttachments } from '../attachments/separateAttachments.ts';

/** The name that the platform gave a conversation, which may be the beginning of its first message, for a list. */
export function conversationName({ name }: AppConversation): string {
  return nameWithoutAttachments(name) || l10n.t('(no name)');
}
