import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/text/format.ts';
import { oneLine } from '../base/text/oneLine.ts';
import type { AppInfo, AppSite, AppParameters, FormField } from './app.ts';
import { kindLabel } from './appKinds.ts';
import type { AppRecord } from './appRegistry.ts';
import type { ToolIcon } from './client/appClient.ts';
import type { AppFeedback } from './client/appHistory.ts';

export interface AppDescription {
  app: AppRecord;
  info: AppInfo;
  site?: AppSite | undefined;
  parameters: AppParameters;
  tools: Readonly<Record<string, ToolIcon>>;
  feedbacks: readonly AppFeedback[];
}

export function appInfoText({ app, info, site, parameters, tools, feedbacks }: AppDescription): string {
  const { openingStatement, suggestedQuestions, form } = parameters;
  const facts = [
    `${l10n.t('Type')}: ${kindLabel(app.kind)}`,
    `${l10n.t('Platform')}: ${app.baseUrl}`,
    info.author && `${l10n.t('Author')}: ${oneLine(info.author)}`,
    info.tags.length > 0 && `${l10n.t('Tags')}: ${info.tags.map((text) => oneLine(text)).join(', ')}`,
    site && site.title !== '' && site.title !== info.name && `${l10n.t('Title')}: ${oneLine(site.title)}`,
    site?.language && `${l10n.t('Language')}: ${oneLine(site.language)}`,
    site?.copyright && `${l10n.t('Copyright')}: ${oneLine(site.copyright, 300)}`,
    site?.privacyPolicy && `${l10n.t('Privacy policy')}: ${oneLine(site.privacyPolicy, 300)}`,
    site?.disclaimer && `${l10n.t('Disclaimer')}: ${oneLine(site.disclaimer, 1000)}`,
    `${l10n.t('File attachments')}: ${describeFiles(parameters)}`,
  ];
  const sections = [
    [`# ${[app.look?.icon, oneLine(app.name)].filter(Boolean).join(' ')}`, info.description],
    [markdownList(facts)],
    openingStatement ? [`## ${l10n.t('Opening statement')}`, openingStatement] : [],
    suggestedQuestions.length > 0
      ? [`## ${l10n.t('Suggested questions')}`, markdownList(suggestedQuestions.map((text) => oneLine(text)))]
      : [],
    form.length > 0 ? [`## ${l10n.t('Form')}`, markdownList(form.map(describeField))] : [],
    Object.keys(tools).length > 0
      ? [`## ${l10n.t('Tools')}`, markdownList(Object.keys(tools).map((text) => oneLine(text)))]
      : [],
    feedbacks.length > 0 ? [`## ${l10n.t('Feedback')}`, markdownList(feedbacks.map(describeFeedback))] : [],
  ];
  return `${sections.flat().filter(Boolean).join('\n\n')}\n`;
}

function describeField(field: FormField): string {
  const facts = [
    typeLabel(field.type),
    field.isRequired && l10n.t('required'),
    field.isHidden && l10n.t('hidden'),
    field.maxLength !== undefined &&
      plural(
        field.maxLength,
        l10n.t('at most 1 character'),
        l10n.t('at most {0} characters', formatNumber(field.maxLength)),
      ),
    field.options && l10n.t('one of: {0}', field.options.map((text) => oneLine(text)).join(', ')),
    field.files && [...field.files.types, ...field.files.extensions].join(', '),
    field.default !== undefined && l10n.t('default: {0}', oneLine(String(field.default))),
  ];
  return `**${oneLine(field.label)}** (\`${oneLine(field.variable)}\`): ${facts.filter(Boolean).join('; ')}`;
}

function typeLabel(type: FormField['type']): string {
  switch (type) {
    case 'text':
      return l10n.t('single-line text');
    case 'paragraph':
      return l10n.t('text');
    case 'number':
      return l10n.t('number');
    case 'select':
      return l10n.t('choice');
    case 'checkbox':
      return l10n.t('yes or no');
    case 'file':
      return l10n.t('file');
    case 'file-list':
      return l10n.t('files');
    case 'json':
      return l10n.t('JSON object');
  }
}

function describeFiles({ files }: AppParameters): string {
  if (!files.isEnabled) return l10n.t('none');
  const types = files.types.filter((type) => type !== 'custom');
  const taken = [...types, ...files.extensions].join(', ');
  return l10n.t('at most {0}: {1}', files.maxFiles, taken || l10n.t('any type'));
}

function describeFeedback({ rating, content }: AppFeedback): string {
  const sign = rating === 'like' ? '👍' : rating === 'dislike' ? '👎' : '';
  return [sign, oneLine(content ?? '')].filter(Boolean).join(' ') || '–';
}

export function markdownList(items: readonly (string | false | undefined)[]): string {
  return items
    .filter(Boolean)
    .map((item) => `- ${item}`)
    .join('\n');
}
