import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { Message, ToolDefinition } from '../../relay/messages.ts';
import { PromptDraft } from '../context/promptDraft.ts';
import { sizeOfMessage, sizeOfTool } from '../context/promptSize.ts';
import { toMessages } from '../context/toMessages.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { joinSystemText, type PromptSource } from './promptSource.ts';

export interface RequestParts {
  conversation: Conversation;
  prompt: PromptSource;
  tools: readonly ToolDefinition[];
  instructions: string;
}

/** The request of an answer, readable and with every text as sent. Undefined for other items. */
export function describeRequest(
  { conversation, prompt, tools, instructions }: RequestParts,
  answerId: string,
): string | undefined {
  const index = conversation.all.findIndex(({ id }) => id === answerId);
  const answer = conversation.all[index];
  if (answer?.type !== 'answer') return undefined;
  const own = prompt.systemText(tools.map(({ name }) => name));
  const system = joinSystemText(own, instructions, conversation.instructions);
  const draft = new PromptDraft(toMessages(conversation.all.slice(0, index), system), tools);
  draft.shortenAs(conversation.shortened);
  const toolTokens = tools.reduce((sum, tool) => sum + sizeOfTool(tool), 0);
  return [
    `# ${l10n.t('Request')}`,
    `${l10n.t('Model')}: ${answer.model}`,
    l10n.t('Estimated tokens: {0}', formatNumber(draft.tokens)),
    ...draft.messages.map(toSection),
    ...(tools.length > 0
      ? [
          heading(l10n.t('Tools'), toolTokens),
          fenced(tools.map((tool) => JSON.stringify(tool, undefined, 2)).join('\n\n'), 'json'),
        ]
      : []),
  ].join('\n\n');
}

function toSection(message: Message): string {
  const parts = [
    heading(roleName(message.role), sizeOfMessage(message)),
    ...(message.content ? [fenced(message.content)] : []),
  ];
  if (message.role === 'user') {
    for (const { mimeType, data } of message.images ?? [])
      parts.push(`[${mimeType}, ${formatNumber(data.length)} × base64]`);
  }
  if (message.role === 'assistant') {
    if (message.reasoning && message.toolCalls) parts.push(fenced(message.reasoning));
    for (const { name, arguments: args } of message.toolCalls ?? [])
      parts.push(fenced(`${name} ${args}`, 'json'));
  }
  return parts.join('\n\n');
}

function heading(title: string, tokens: number): string {
  return `## ${plural(
    tokens,
    l10n.t('{0} (about 1 token)', title),
    l10n.t('{0} (about {1} tokens)', title, formatNumber(tokens)),
  )}`;
}

function roleName(role: Message['role']): string {
  switch (role) {
    case 'system':
      return l10n.t('System prompt');
    case 'user':
      return l10n.t('You');
    case 'assistant':
      return l10n.t('Model');
    case 'tool':
      return l10n.t('Tool result');
  }
}

function fenced(text: string, language = 'text'): string {
  const longest = Math.max(3, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length + 1));
  const fence = '`'.repeat(longest);
  return `${fence}${language}\n${text}\n${fence}`;
}
