import * as l10n from '@vscode/l10n';
import { parseJson } from '../../base/json.ts';
import { formatNumber } from '../../base/text/format.ts';
import { textSize } from '../../base/text/formatSize.ts';
import { formatTokens } from '../../base/text/formatUsage.ts';
import { readFrame, type Frame } from '../../base/text/frame.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import type { Message, ToolDefinition } from '../../relay/messages.ts';
import { PromptDraft } from '../context/promptDraft.ts';
import { estimateTokens, sizeOfMessage, sizeOfTool } from '../context/tokenEstimate.ts';
import { toMessages } from '../context/toMessages.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { instructionsText } from '../instructions/sentInstructions.ts';
import { joinSystemText, type PromptSource } from './promptSource.ts';

export interface RequestParts {
  conversation: Conversation;
  prompt: PromptSource;
  tools: readonly ToolDefinition[];
  instructions: string;
}

/** A request to read: Markdown for the editor's preview, which links to the JSON as the file `rawName` beside it. */
export interface RequestText {
  page: string;
  raw: string;
  rawName: string;
}

export function describeRequest(
  { conversation, prompt, tools, instructions }: RequestParts,
  answerId: string,
): RequestText | undefined {
  const index = conversation.all.findIndex(({ id }) => id === answerId);
  const answer = conversation.all[index];
  if (answer?.type !== 'answer') return undefined;
  const own = prompt.systemText(tools.map(({ name }) => name));
  const system = joinSystemText(own, instructions, conversation.instructions);
  const draft = new PromptDraft(toMessages(conversation.all.slice(0, index), system), tools);
  draft.shortenAs(conversation.shortened);
  const said = draft.messages.filter(({ role }) => role !== 'system');
  const rawName = `${l10n.t('Request')}.json`;
  const page = [
    style,
    `# ${l10n.t('Request')}`,
    headLine(answer.model, draft.tokens, rawName),
    `## ${l10n.t('System prompt')}`,
    fold('Switchboard', own),
    ...(instructions.trim() ? [fold('chat.instructions', instructions.trim())] : []),
    ...conversation.instructions.map((file) => fold(file.path, instructionsText([file]))),
    ...(tools.length > 0 ? [`## ${l10n.t('Tools')}`, ...tools.map(toolSection)] : []),
    `## ${l10n.t('Messages')}`,
    ...said.map((message, at) => messageSection(message, `${at + 1}. ${authorOf(message, said)}`)),
  ].join('\n\n');
  const { model } = answer;
  return {
    page,
    raw: JSON.stringify({ model, messages: draft.messages, tools }, leaveOutPictures, 2),
    rawName,
  };
}

/** Long lines wrap, unlike in code blocks of the preview. */
const style = `<style>
details { margin: 0 0 8px; }
details details { margin-left: 16px; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary small { opacity: 0.8; }
pre { margin: 8px 0 12px; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>`;

/** Own words up to this many characters are unfolded. */
const shortText = 2000;

function headLine(model: string, tokens: number, rawName: string): string {
  const link = `<a href="${encodeURIComponent(rawName)}">${escape(l10n.t('Show as JSON'))}</a>`;
  return `<p><b>${escape(oneLine(model))}</b> · ${escape(l10n.t('about {0}', formatTokens(tokens)))} · ${link}</p>`;
}

function toolSection(tool: ToolDefinition): string {
  const { name, description, parameters } = tool;
  const text = `${description}\n\n${JSON.stringify(parameters, undefined, 2)}`;
  return fold(name, text, { tokens: sizeOfTool(tool) });
}

function messageSection(message: Message, title: string): string {
  const { role, content } = message;
  const tokens = sizeOfMessage(message);
  if (role === 'tool') return fold(title, content, { tokens });
  const parts = [
    ...(role === 'assistant' && message.toolCalls && message.reasoning
      ? [fold(l10n.t('Thought'), message.reasoning)]
      : []),
    ...(role === 'user' ? framesIn(content) : [words(content)]),
    ...(role === 'assistant'
      ? (message.toolCalls ?? []).map((call) => fold(call.name, indented(call.arguments)))
      : []),
    ...(role === 'user'
      ? (message.images ?? []).map(({ mimeType, data }) => words(pictureNote(mimeType, data)))
      : []),
  ];
  const summary = summaryOf(title, tokens, content);
  const isShort = content.length <= shortText || parts.length > 1;
  return [`<details${isShort ? ' open' : ''}>${summary}`, ...parts.filter(Boolean), '</details>'].join(
    '\n\n',
  );
}

function framesIn(content: string): string[] {
  const parts: string[] = [];
  let done = 0;
  for (const { index } of content.matchAll(/(?<=^|\n\n)<[a-z]+-[0-9a-f]{4}/g)) {
    const found = index < done ? undefined : readFrame(content, index);
    if (!found) continue;
    parts.push(
      words(content.slice(done, index).trim()),
      fold(frameName(found), content.slice(index, found.end)),
    );
    done = found.end;
  }
  return [...parts, words(content.slice(done).trim())];
}

function frameName({ kind, facts }: Frame): string {
  const { path, name = path, document = name } = facts;
  const known: Record<string, string> = {
    context: l10n.t('Context'),
    attachment: l10n.t('Attachment'),
    segment: l10n.t('Source'),
    summary: l10n.t('Summary'),
  };
  return [known[kind] ?? kind, document].filter(Boolean).join(': ');
}

function authorOf(message: Message, all: readonly Message[]): string {
  switch (message.role) {
    case 'assistant':
      return message.model;
    case 'tool': {
      const calls = all.flatMap((each) => (each.role === 'assistant' ? (each.toolCalls ?? []) : []));
      const name = calls.findLast(({ id }) => id === message.toolCallId)?.name;
      return [l10n.t('Tool result'), name].filter(Boolean).join(': ');
    }
    default:
      return l10n.t('You');
  }
}

function fold(title: string, text: string, { tokens = estimateTokens(text) } = {}): string {
  return `<details>${summaryOf(title, tokens, text)}\n\n${words(text)}\n\n</details>`;
}

function summaryOf(title: string, tokens: number, text: string): string {
  const size = l10n.t(
    'about {0}, {1}',
    formatTokens(tokens),
    textSize({ characters: text.length, lines: text.split('\n').length }),
  );
  return `<summary>${escape(oneLine(title))} <small>${escape(size)}</small></summary>`;
}

/** Escaped text in `pre`: nothing in it can be Markdown, end the block or load anything. */
function words(text: string): string {
  return text && `<pre>\n${escape(text)}\n</pre>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function indented(json: string): string {
  const value = parseJson(json);
  return value === undefined ? json : JSON.stringify(value, undefined, 2);
}

function leaveOutPictures(key: string, value: unknown): unknown {
  return key === 'images' && Array.isArray(value)
    ? (value as { mimeType: string; data: string }[]).map(({ mimeType, data }) => pictureNote(mimeType, data))
    : value;
}

function pictureNote(mimeType: string, data: string): string {
  return `[${mimeType}, ${formatNumber(data.length)} × base64]`;
}
