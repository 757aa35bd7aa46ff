import { longText } from '../../../models/longText.ts';
import type { AppFile } from '../appRecords.ts';
import { isObject } from '../inputForm.ts';
import type { AppTurn } from '../scriptedApp.ts';

/** "write 300 lines" gives a long text, "what did I say before?" the conversation, all else an echo. */
export function reply(appName: string, turn: AppTurn): string {
  const lines = /\b(\d{1,6})\s+lines\b/i.exec(turn.query)?.[1];
  if (lines !== undefined) return `# A long answer of ${appName}\n\n${longText(Number(lines) - 2)}`;
  if (/what did i (say|ask)/i.test(turn.query)) return remembered(turn);
  return echo(appName, turn);
}

export function echo(appName: string, { query, inputs, files, history }: AppTurn): string {
  const parts = [`**${appName}** is a scripted app and only repeats what it gets.`];
  if (query)
    parts.push(
      query
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n'),
    );
  if (history.length > 0) parts.push(`Messages before this one: ${history.length}.`);
  const filled = Object.entries(inputs).filter(([, value]) => value !== null && value !== '');
  if (filled.length > 0) {
    parts.push(
      ['| input | value |', '|---|---|', ...filled.map(([name, value]) => row(name, value))].join('\n'),
    );
  }
  const attached = [...files, ...filled.flatMap(([, value]) => filesIn(value))];
  parts.push(...attached.map(quoteFile));
  return parts.join('\n\n');
}

export function quoteFile({ name, url, text, mimeType }: AppFile): string {
  if (url !== undefined) return `File at <${url}>`;
  const isText = text !== undefined && (/^text\/|json/.test(mimeType) || !text.includes('\uFFFD'));
  if (!isText) return `File \`${name}\``;
  return `File \`${name}\`:\n\n\`\`\`\`\n${text.slice(0, 2000).trimEnd()}\n\`\`\`\``;
}

function remembered({ history }: AppTurn): string {
  if (history.length === 0) return 'You have not said anything before.';
  return ['Before, you said:', '', ...history.map(({ query }, index) => `${index + 1}. ${query}`)].join('\n');
}

function row(name: string, value: unknown): string {
  const files = filesIn(value);
  const shown = files.length > 0 ? files.map((file) => file.name).join(', ') : textOf(value);
  return `| ${name} | ${shown.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')} |`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function filesIn(value: unknown): AppFile[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one): one is AppFile => isObject(one) && 'mimeType' in one && 'method' in one);
}
