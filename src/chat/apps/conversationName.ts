import * as l10n from '@vscode/l10n';
import type { AppConversation } from '../../apps/app.ts';
import { nameWithoutAttachments } from '../attachments/separateAttachments.ts';

export function conversationName({ name }: AppConversation): string {
  return nameWithoutAttachments(name) || l10n.t('(no name)');
}
