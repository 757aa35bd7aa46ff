import type { ToolDefinition } from '../../relay/messages.ts';
import { imagesOf, wordsOf } from '../attachments/attachmentText.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { joinSystemText } from '../prompt/promptSource.ts';
import { planCompaction } from './planCompaction.ts';
import { PromptDraft } from './promptDraft.ts';
import { estimateTokens, pictureTokens, sizeOfTool } from './tokenEstimate.ts';
import { summaryBefore, toMessages } from './toMessages.ts';

export type ContextPart = 'system' | 'tools' | 'instructions' | 'summary' | 'messages' | 'results' | 'files';

export interface ContextParts {
  tokens: Record<ContextPart, number>;
  canCompact: boolean;
}

export interface ContextSource {
  conversation: Conversation;
  system: string;
  instructions: string;
  tools: readonly ToolDefinition[];
  budget: number;
}

export function measureParts(source: ContextSource): ContextParts {
  const { conversation, system, instructions, tools, budget } = source;
  const text = joinSystemText(system, instructions, conversation.instructions);
  const messages = toMessages(conversation.all, text);
  const draft = new PromptDraft(messages, tools);
  draft.shortenAs(conversation.shortened);
  const own = estimateTokens(system);
  const parts = {
    system: own,
    tools: tools.reduce((sum, tool) => sum + sizeOfTool(tool), 0),
    instructions: Math.max(0, estimateTokens(text) - own),
    summary: 0,
    messages: 0,
    results: 0,
    files: 0,
  };
  const users = new Map(conversation.all.flatMap((item) => (item.type === 'user' ? [[item.id, item]] : [])));
  const at = conversation.all.findLastIndex((item) => item.type === 'summary');
  const summary = conversation.all[at];
  const before = summary?.type === 'summary' ? summaryBefore(conversation.all, at, summary) : '';
  messages.forEach(({ itemId = '', message, found }, index) => {
    const size = draft.sizeAt(index);
    if (message.role === 'tool') parts.results += size;
    if (message.role === 'assistant') parts.messages += size;
    if (message.role !== 'user') return;
    const item = users.get(itemId);
    const attached = item?.attachments
      ? Math.max(0, estimateTokens(wordsOf(item)) - estimateTokens(item.text)) +
        imagesOf(item).length * pictureTokens
      : 0;
    const told = parts.summary === 0 ? estimateTokens(before) : 0;
    const results = found ? estimateTokens(found.text) : 0;
    parts.summary += told;
    parts.files += attached;
    parts.results += results;
    parts.messages += Math.max(0, size - attached - told - results);
  });
  const { tokens } = draft;
  return { tokens: parts, canCompact: planCompaction({ messages, tools, budget, tokens }) !== undefined };
}
