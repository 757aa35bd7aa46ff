import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever.ts';
import { formatNumber, plural } from '../base/format.ts';
import { visibleText } from '../base/visibleText.ts';
import type { NoticeItem } from '../chat/items.ts';
import type { Entry } from '../shared/transcript.ts';
import { remedyLabel } from './presentFailure.ts';
import { readModelId } from '../relay/relayModelId.ts';

/** What a notice says, and what can be done about it. */
export function noticeOf({
  kind,
  detail = '',
}: NoticeItem): Pick<Entry & { type: 'notice' }, 'text' | 'detail' | 'remedy'> {
  const goOn = { type: 'continue', label: remedyLabel('continue') } as const;
  switch (kind) {
    case 'tools-refused':
      return { text: l10n.t("{0} doesn't support tools; resent without them.", readModelId(detail).id) };
    case 'parameter-refused':
      return { text: l10n.t("The model doesn't support {0}; resent without it.", parameterInWords(detail)) };
    case 'round-limit':
      return {
        text: plural(
          Number(detail),
          l10n.t('The model called tools once, the limit of the setting "switchboard.chat.maxToolRounds".'),
          l10n.t(
            'The model called tools {0} times in a row, the limit of the setting "switchboard.chat.maxToolRounds".',
            formatNumber(Number(detail)),
          ),
        ),
        remedy: goOn,
      };
    case 'same-call':
      return {
        text: l10n.t('The model repeated the same call with the same result, so it was stopped.'),
        remedy: goOn,
      };
    case 'results-shortened':
      return {
        text: l10n.t(
          "Older tool results shortened to fit the model's context: {0}",
          formatNumber(Number(detail)),
        ),
      };
    case 'context-refused':
      return {
        text: l10n.t(
          'The conversation exceeded the context window of {0} tokens. It was shortened and resent.',
          formatNumber(Number(detail)),
        ),
      };
    case 'nothing-to-compact':
      return {
        text: l10n.t(
          'Compacting would free less than 20 % of the context: the newest messages always stay as they are.',
        ),
      };
    case 'compaction-failed':
      return { text: l10n.t("The conversation couldn't be compacted and stays as it is. {0}", detail) };
    case 'knowledge-not-searched':
      return { text: l10n.t('The model did not search the knowledge bases.') };
    case 'knowledge-empty':
      return { text: l10n.t('Nothing was found in {0}; this answer is not grounded in them.', detail) };
    case 'knowledge-failed':
      return {
        text: l10n.t(
          'The knowledge bases could not be searched; this answer is not grounded in them. {0}',
          detail,
        ),
      };
    case 'knowledge-incomplete':
      return { text: l10n.t('Not all knowledge bases could be searched. {0}', detail) };
    case 'command-lost':
      return { text: l10n.t('Ended when its window was closed or reloaded: {0}', visibleText(detail)) };
    case 'inline-edit':
      return { text: l10n.t('Edited inline: {0}', visibleText(detail)) };
    case 'app-inputs':
      return { text: l10n.t('Inputs: {0}', inBrief(detail)), detail };
    case 'app-apart':
      return {
        text: l10n.t('{0} sees only messages sent to it, not the rest of this chat.', detail),
      };
    case 'app-waits':
      return {
        text: detail
          ? l10n.t(
              'Waiting for human input on the platform: {0}. Provide it there, then reopen the conversation from History.',
              detail,
            )
          : l10n.t(
              'Waiting for human input on the platform. Provide it there, then reopen the conversation from History.',
            ),
        remedy: { type: 'openPlatform', label: remedyLabel('openPlatform') },
      };
    case 'app-cut':
      return {
        text: l10n.t(
          'The newest {0} messages are shown; the older ones are on the platform.',
          formatNumber(Number(detail)),
        ),
      };
    default:
      return assertNever(kind);
  }
}

const briefCharacters = 80;

/** The values alone, without what they are. */
function inBrief(lines: string): string {
  const values = lines.split('\n').map((line) => line.slice(line.indexOf(':') + 1).trim());
  const text = values.join(', ');
  return text.length > briefCharacters ? `${text.slice(0, briefCharacters - 1)}…` : text;
}

/** @param refused its name, or `name=value` where the model supports other values */
function parameterInWords(refused: string): string {
  const [name, value] = refused.split('=');
  switch (name) {
    case 'temperature':
      return l10n.t('a temperature');
    case 'maxTokens':
      return l10n.t('a limit of output tokens');
    default:
      return value === undefined ? l10n.t('a reasoning effort') : l10n.t('the reasoning effort "{0}"', value);
  }
}
