import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import { formatSize } from '../../base/text/formatSize.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import type { NoticeItem } from '../../chat/conversation/items.ts';
import type { Entry } from '../../shared/transcript.ts';
import { remedyLabel } from './presentFailure.ts';
import { largestAnswerPicture, mostAnswerPictures } from '../../relay/pictures/answerPictures.ts';
import { readModelId } from '../../relay/relayModelId.ts';

type Notice = Pick<Entry & { type: 'notice' }, 'text' | 'detail' | 'remedy'>;

export function noticeOf({ kind, detail = '' }: NoticeItem): Notice {
  return notices[kind](detail);
}

const notices: Readonly<Record<NoticeItem['kind'], (detail: string) => Notice>> = {
  'tools-refused': (detail) => ({
    text: l10n.t("{0} doesn't support tools; resent without them.", readModelId(detail).id),
  }),
  'parameter-refused': (detail) => ({
    text: l10n.t("The model doesn't support {0}; resent without it.", parameterInWords(detail)),
  }),
  fallback: (detail) => {
    const [model = '', why = ''] = detail.split('\n');
    return { text: l10n.t('{0} failed, so another model answers. {1}', readModelId(model).id, why) };
  },
  'plain-history': (detail) => ({
    text: l10n.t(
      "{0} rejected the conversation's history from other models. It was resent in plain form: tool calls of other models as text, without reasoning.",
      readModelId(detail).id,
    ),
  }),
  'no-older-pictures': (detail) => ({
    text: l10n.t("{0} doesn't support images; earlier images were resent as a note.", readModelId(detail).id),
  }),
  'fewer-tools': (detail) => ({
    text: l10n.t(
      '{0} accepts at most 128 tools, with names of at most 64 letters, digits, "_" and "-". The others were left out.',
      readModelId(detail).id,
    ),
  }),
  'no-reasoning': (detail) => ({
    text: l10n.t(
      "This relay doesn't offer {0} with both tools and reasoning; resent without reasoning.",
      readModelId(detail).id,
    ),
  }),
  'round-limit': (detail) => ({
    text: plural(
      Number(detail),
      l10n.t('The model called tools once, the limit of the setting "switchboard.chat.maxToolRounds".'),
      l10n.t(
        'The model called tools {0} times in a row, the limit of the setting "switchboard.chat.maxToolRounds".',
        formatNumber(Number(detail)),
      ),
    ),
    remedy: { type: 'continue', label: remedyLabel('continue') },
  }),
  'same-call': () => ({
    text: l10n.t('The model repeated the same call with the same result, so it was stopped.'),
    remedy: { type: 'continue', label: remedyLabel('continue') },
  }),
  'results-shortened': (detail) => ({
    text: l10n.t(
      "Older tool results shortened to fit the model's context: {0}",
      formatNumber(Number(detail)),
    ),
  }),
  'context-refused': (detail) => ({
    text: l10n.t(
      'The conversation exceeded the context window of {0} tokens. It was shortened and resent.',
      formatNumber(Number(detail)),
    ),
  }),
  'nothing-to-compact': () => ({
    text: l10n.t(
      'Compacting would free less than 20 % of the context: the newest messages always stay as they are.',
    ),
  }),
  'compaction-failed': (detail) => ({
    text: l10n.t("The conversation couldn't be compacted and stays as it is. {0}", detail),
  }),
  'knowledge-not-searched': () => ({ text: l10n.t("The model didn't search the knowledge bases.") }),
  'knowledge-empty': (detail) => ({
    text: l10n.t("Nothing was found in {0}; this answer isn't grounded in them.", detail),
  }),
  'knowledge-failed': (detail) => ({
    text: l10n.t("The knowledge bases couldn't be searched; this answer isn't grounded in them. {0}", detail),
  }),
  'knowledge-incomplete': (detail) => ({
    text: l10n.t("Some knowledge bases couldn't be searched. {0}", detail),
  }),
  'command-lost': (detail) => ({
    text: l10n.t('Ended when its window was closed or reloaded: {0}', visibleText(detail)),
  }),
  'inline-edit': (detail) => ({ text: l10n.t('Edited inline: {0}', visibleText(detail)) }),
  'code-applied': (detail) => ({ text: l10n.t('Applied code to {0}', visibleText(detail)) }),
  'app-inputs': (detail) => ({ text: l10n.t('Inputs: {0}', inBrief(detail)), detail }),
  'app-apart': (detail) => ({
    text: l10n.t('{0} sees only messages sent to it, not the rest of this chat.', detail),
  }),
  'app-waits': (detail) => ({
    text: detail
      ? l10n.t(
          'Waiting for human input on the platform: {0}. Provide it there, then reopen the conversation from History.',
          detail,
        )
      : l10n.t(
          'Waiting for human input on the platform. Provide it there, then reopen the conversation from History.',
        ),
    remedy: { type: 'openPlatform', label: remedyLabel('openPlatform') },
  }),
  'app-cut': (detail) => ({
    text: l10n.t(
      'The newest {0} messages are shown; the older ones are on the platform.',
      formatNumber(Number(detail)),
    ),
  }),
  'pictures-omitted': (detail) => ({
    text: l10n.t('Not all pictures of this answer are shown: {0}', omissionsInWords(detail)),
  }),
  imported: () => ({
    text: l10n.t(
      'Imported as text only. Edits, settings, queued messages and knowledge bases were left out.',
    ),
  }),
};

/** @param reasons as stored; unknown ones come from a later version */
function omissionsInWords(reasons: string): string {
  const words: Readonly<Record<string, string>> = {
    size: l10n.t('larger than {0}', formatSize(largestAnswerPicture)),
    count: l10n.t('more than {0}', formatNumber(mostAnswerPictures)),
    type: l10n.t('not PNG, JPEG, GIF or WebP'),
    cut: l10n.t('cut off'),
    storage: l10n.t("couldn't be saved"),
  };
  return reasons
    .split(',')
    .map((reason) => words[reason] ?? reason)
    .join('; ');
}

const briefCharacters = 80;

function inBrief(lines: string): string {
  const values = lines.split('\n').map((line) => line.slice(line.indexOf(':') + 1).trim());
  const text = values.join(', ');
  return text.length > briefCharacters ? `${text.slice(0, briefCharacters - 1)}…` : text;
}

/** @param refused a name, or `name=value` if the model supports other values */
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
