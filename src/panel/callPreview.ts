import * as l10n from '@vscode/l10n';
import { diffLines, type DiffPart } from '../base/lineDiff.ts';
import { visibleText } from '../base/visibleText.ts';
import type { ProposedFile } from '../tools/tool.ts';
import { inline } from '../chat/calls/callMessage.ts';
import type { Question } from '../chat/calls/toolBox.ts';
import type { CallPreview, FilePreview, ShownArguments } from '../shared/tools.ts';

type PreviewLine = FilePreview['lines'][number];
type ArgumentRow = ShownArguments['rows'][number];

const mostLines = 80;
const longestLine = 400;
/** Unchanged lines around a change. */
const contextLines = 2;
const mostRows = 40;
const longestName = 80;
const longestValue = 4000;

/** What a call would do, to be seen before it is allowed. What a model wrote is text, bounded, with nothing hidden. */
export function previewOf({ proposal, name, input }: Question): CallPreview {
  if (proposal) return { type: 'edit', files: proposal.files.map(filePreview) };
  const preview = argumentsPreview(input);
  if (name !== 'run_command') return preview;
  return { ...preview, rows: preview.rows.map((row) => ({ ...row, name: commandLabel(row.name) })) };
}

/** What an argument of a command is called on screen. */
function commandLabel(name: string): string {
  switch (name) {
    case 'command':
      return l10n.t('Command');
    case 'folder':
      return l10n.t('Folder');
    case 'reason':
      return l10n.t('Reason');
    case 'timeoutSeconds':
      return l10n.t('Timeout (seconds)');
    case 'background':
      return l10n.t('In the background');
    case 'input':
      return l10n.t('Input');
    default:
      return name;
  }
}

function filePreview({ path, before, after, added, removed }: ProposedFile): FilePreview {
  const parts = diffLines(before ?? '', after);
  const all = parts.flatMap((part, index) => linesOf(part, index > 0, index < parts.length - 1));
  const lines = all
    .slice(0, mostLines)
    .map(({ kind, text }): PreviewLine => ({ kind, text: visibleLine(text) }));
  const shown = inline(path, longestValue);
  return {
    ...{ path: shown, isNew: before === undefined, added, removed, lines },
    more: all.length - lines.length,
  };
}

/** Of what stays the same only what is next to a change. */
function linesOf({ kind, lines }: DiffPart, hasBefore: boolean, hasAfter: boolean): PreviewLine[] {
  const all = lines.map((text): PreviewLine => ({ kind, text }));
  if (kind !== 'same') return all;
  const head = hasBefore ? contextLines : 0;
  const tail = hasAfter ? contextLines : 0;
  // A gap takes a line itself.
  if (lines.length <= head + tail + (hasBefore && hasAfter ? 1 : 0)) return all;
  const gap: PreviewLine[] = hasBefore && hasAfter ? [{ kind: 'gap', text: '' }] : [];
  return [...all.slice(0, head), ...gap, ...all.slice(lines.length - tail)];
}

/** A character that is at home in a file and can deceive in a preview, as written-out text. */
function visibleLine(text: string): string {
  const line = visibleText(text.slice(0, longestLine));
  return text.length > longestLine ? `${line}…` : line;
}

/** The arguments by name. */
export function argumentsPreview(input: Readonly<Record<string, unknown>>): ShownArguments {
  const all = Object.entries(input);
  const rows = all.slice(0, mostRows).map(([name, value]): ArgumentRow => {
    const { text, kind } = inHumanForm(name, value);
    return {
      name: inline(name, longestName),
      value: visibleText(text.slice(0, longestValue)),
      more: Math.max(0, text.length - longestValue),
      ...(kind && { kind }),
    };
  });
  return { type: 'arguments', rows, more: all.length - rows.length };
}

const commandName = /^(?:command|cmd|script)$/i;
/** A word that a shell reads as it is. */
const plainWord = /^[\w@%+=:,./-]+$/;

function inHumanForm(name: string, value: unknown): { text: string; kind?: ArgumentRow['kind'] } {
  const isCommand = commandName.test(name);
  if (typeof value === 'string') return { text: value, ...(isCommand && { kind: 'command' }) };
  const items = Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : [];
  if (isCommand && items.length > 0) {
    const words = items.map((word) => (plainWord.test(word) ? word : JSON.stringify(word)));
    return { text: words.join(' '), kind: 'command' };
  }
  // A line break would make two items of one.
  if (items.length > 0 && !items.some((item) => /[\r\n]/.test(item))) {
    return { text: items.join('\n'), kind: 'list' };
  }
  return { text: JSON.stringify(value, null, 2) ?? '' };
}
