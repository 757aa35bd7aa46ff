import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors/errors.ts';
import { formatSize } from '../base/text/formatSize.ts';
import { asText, parseJson, asObject } from '../base/json.ts';
import { Conversation } from '../chat/conversation/conversation.ts';
import type { ChatItem, ToolItem } from '../chat/conversation/items.ts';
import type { ChatEvent } from '../chat/store/events.ts';
import { parseLine } from '../chat/store/parseEvents.ts';
import { importedEvents } from './importedEvents.ts';

const format = 'switchboard-conversation';

export interface ExportedChat {
  title: string;
  events: readonly ChatEvent[];
}

export function toJson({ title, events }: ExportedChat): string {
  const lines = events.map((event) => JSON.stringify(event)).join(',\n');
  return `{"format":"${format}","version":1,"title":${JSON.stringify(title)},"events":[\n${lines}\n]}\n`;
}

/** Parses the output of `toJson`. Skips and counts unknown events; throws if the file is no conversation. */
export function fromJson(text: string, newId: () => string = randomUUID): ExportedChat & { skipped: number } {
  const file = asObject(parseJson(text));
  if (file?.format !== format || !Array.isArray(file.events)) {
    throw new SwitchboardError('local-file', l10n.t("This file isn't an exported conversation."));
  }
  const events = file.events.flatMap((event) => parseLine(JSON.stringify(event) ?? ''));
  if (!events.some(({ type }) => type === 'userMessageAdded')) {
    throw new SwitchboardError('local-file', l10n.t('This file contains no messages.'));
  }
  const skipped = file.events.length - events.length;
  return { title: asText(file.title) ?? '', events: importedEvents(events, newId), skipped };
}

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
      return item.text || item.pictures || item.end?.failure
        ? [
            `## ${nameOf(item.model)}`,
            item.text,
            ...(item.pictures ?? []).map(({ type, bytes }, index) =>
              l10n.t('[Picture {0}, not exported: {1}, {2}]', index + 1, type, formatSize(bytes)),
            ),
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

function toolPart({ name, title, input, outcome }: ToolItem): string {
  return [
    `<details><summary>${title ?? name}</summary>`,
    fenced(JSON.stringify(input, undefined, 2), 'json'),
    ...(outcome ? [fenced(outcome.content, '')] : []),
    '</details>',
  ].join('\n\n');
}

function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
