import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import { asText, parseJson, asObject } from '../base/json.ts';
import { Conversation } from '../chat/conversation.ts';
import type { ChatItem, ToolItem } from '../chat/items.ts';
import type { ChatEvent } from '../chat/events.ts';
import { parseLine } from '../chat/parseEvents.ts';

/** Says what a file is. */
const format = 'switchboard-conversation';

export interface ExportedChat {
  title: string;
  events: readonly ChatEvent[];
}

/** A conversation with all its branches, to be imported again. */
export function toJson({ title, events }: ExportedChat): string {
  const lines = events.map((event) => JSON.stringify(event)).join(',\n');
  return `{"format":"${format}","version":1,"title":${JSON.stringify(title)},"events":[\n${lines}\n]}\n`;
}

/**
 * What `toJson` wrote. Events that are not understood are left out and counted; throws for what is no conversation at all.
 * Such a file may come from anybody: what was allowed in it has to be allowed again.
 */
export function fromJson(text: string): ExportedChat & { skipped: number } {
  const file = asObject(parseJson(text));
  if (file?.format !== format || !Array.isArray(file.events)) {
    throw new SwitchboardError('local-file', l10n.t('This file is not an exported conversation.'));
  }
  const events = file.events.flatMap((event) => parseLine(JSON.stringify(event) ?? ''));
  if (!events.some(({ type }) => type === 'userMessageAdded')) {
    throw new SwitchboardError('local-file', l10n.t('There is no message in this file.'));
  }
  const skipped = file.events.length - events.length;
  return { title: asText(file.title) ?? '', events: events.flatMap(askingFirst), skipped };
}

function askingFirst(event: ChatEvent): ChatEvent[] {
  if (event.type === 'approvalsSelected') return [];
  return [event.type === 'settingsRepeated' ? { ...event, approvals: 'askFirst' } : event];
}

/** What is shown of a conversation, to be read. */
export function toMarkdown({ title, events }: ExportedChat, nameOf: (modelId: string) => string): string {
  const { all } = new Conversation('', events);
  const parts = all.flatMap((item) => partOf(item, nameOf));
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}

function partOf(item: ChatItem, nameOf: (modelId: string) => string): string[] {
  switch (item.type) {
    case 'user': {
      const labels = (item.attachments ?? []).map(({ label }) => `- ${label}`);
      return [`## ${l10n.t('You')}`, item.text, labels.join('\n')].filter(Boolean);
    }
    case 'answer':
      return item.text || item.end?.failure
        ? [
            `## ${nameOf(item.model)}`,
            item.text,
            item.end?.failure ? `> ${item.end.failure.message}` : '',
          ].filter(Boolean)
        : [];
    case 'tool':
      return [toolPart(item)];
    case 'summary':
      return item.text ? [`## ${l10n.t('Summary')}`, item.text] : [];
    default:
      return [];
  }
}

/** Folded, as in the panel. */
function toolPart({ name, title, input, outcome }: ToolItem): string {
  return [
    `<details><summary>${title ?? name}</summary>`,
    fenced(JSON.stringify(input, undefined, 2), 'json'),
    ...(outcome ? [fenced(outcome.content, '')] : []),
    '</details>',
  ].join('\n\n');
}

/** In a fence that nothing in the text closes. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
