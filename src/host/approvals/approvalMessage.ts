import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../base/format.ts';
import type { Question } from '../../chat/calls/toolBox.ts';
import { inline, callMessage } from '../../chat/calls/callMessage.ts';

/**
 * What is asked, on one line of plain text. The editor makes links of Markdown in its messages, also such that run
 * commands, so nothing of a model's words may read as one.
 * @param conversation its name, where it is not the one in view
 */
export function approvalMessage(question: Question, conversation: string | undefined): string {
  const { proposal } = question;
  const lines = proposal && ` +${formatNumber(proposal.added)} −${formatNumber(proposal.removed)}`;
  const message = `${callMessage(question)}${lines ?? ''}`;
  const whole =
    conversation === undefined ? message : l10n.t('{0} (in “{1}”)', message, inline(conversation, 40));
  return whole.replaceAll('](', '] (');
}
