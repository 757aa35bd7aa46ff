import * as l10n from '@vscode/l10n';
import { textSize } from '../../base/text/formatSize.ts';
import { diffLines, type DiffPart } from '../../base/text/lineDiff.ts';
import { inline } from '../../base/text/oneLine.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import type { ProposedFile } from '../../tools/tool.ts';
import {
  callTexts,
  fits,
  foldedLines,
  isSeenWhole,
  linesOf,
  type CallText,
} from '../../chat/calls/callTexts.ts';
import { isCommand } from '../../chat/calls/callMessage.ts';
import type { Question } from '../../chat/calls/toolBox.ts';
import type { CallPreview, FilePreview, ShownArguments, ShownText } from '../../shared/tools.ts';

type PreviewLine = FilePreview['lines'][number];

const mostLines = 80;
const longestLine = 400;
const contextLines = 2;
const longestName = 80;

interface Extent {
  lines: number;
  rows: number;
}

const unbounded: Extent = { lines: Infinity, rows: Infinity };
const folded: Extent = { lines: foldedLines, rows: 10 };
const inTranscript: Extent = { lines: 100, rows: 40 };
const longestLookedAt = 20_000;

/** Previews a call before approval. Model output is bounded text with hidden characters written out. */
export function previewOf(question: Question): CallPreview {
  const extent = isSeenWhole(question) ? unbounded : folded;
  const { proposal } = question;
  if (proposal) return { type: 'edit', files: proposal.files.map((file) => filePreview(file, extent)) };
  return shownArguments(labelledTexts(question), extent);
}

type NamedCall = Pick<Question, 'name' | 'title' | 'input'>;

function labelledTexts(call: NamedCall): CallText[] {
  const texts = callTexts(call);
  return isCommand(call) ? texts.map((text) => ({ ...text, name: commandLabel(text.name) })) : texts;
}

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

function filePreview({ path, before, after, added, removed }: ProposedFile, extent: Extent): FilePreview {
  const parts = diffLines(before ?? '', after, contextLines);
  const all = parts.flatMap((part, index) => previewLines(part, index > 0, index < parts.length - 1));
  const lines: PreviewLine[] = [];
  let at = 0;
  while (at < all.length && lines.length < mostLines) {
    const run = runFrom(all, at);
    lines.push(...visibleLines(run));
    at += run.length;
  }
  return {
    ...{ path, shownPath: shownText(path, extent), isNew: before === undefined, added, removed, lines },
    more: parts.reduce((left, part) => left + part.count - part.lines.length, all.length - at),
  };
}

function previewLines({ kind, lines }: DiffPart, hasBefore: boolean, hasAfter: boolean): PreviewLine[] {
  const all = lines.map((text): PreviewLine => ({ kind, text }));
  if (kind !== 'same') return all;
  const head = hasBefore ? contextLines : 0;
  const tail = hasAfter ? contextLines : 0;
  // A gap marker takes a line itself.
  if (lines.length <= head + tail + (hasBefore && hasAfter ? 1 : 0)) return all;
  const gap: PreviewLine[] = hasBefore && hasAfter ? [{ kind: 'gap', text: '' }] : [];
  return [...all.slice(0, head), ...gap, ...all.slice(lines.length - tail)];
}

function runFrom(all: readonly PreviewLine[], at: number): PreviewLine[] {
  const kind = all[at]?.kind;
  let end = at;
  while (all[end]?.kind === kind && all[end]?.text.trim() === '') end++;
  return all.slice(at, Math.max(end, at + 1));
}

/** Writes out characters that are normal in a file but can deceive in a preview. */
function visibleLines(run: readonly PreviewLine[]): PreviewLine[] {
  const text = run.map((line) => `${cutLine(line.text)}\n`).join('');
  const [{ kind }] = run as [PreviewLine];
  return visibleText(text)
    .slice(0, -1)
    .split('\n')
    .map((line) => ({ kind, text: line }));
}

function cutLine(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
}

export function argumentsPreview(call: NamedCall): ShownArguments {
  return shownArguments(labelledTexts(isCommand(call) ? withFolder(call) : call), inTranscript);
}

function withFolder(call: NamedCall): NamedCall {
  const { command, ...rest } = call.input;
  if (command === undefined) return call;
  return { ...call, input: { command, folder: l10n.t('Workspace folder'), ...rest } };
}

function shownArguments(texts: readonly CallText[], extent: Extent): ShownArguments {
  const rows = texts.slice(0, extent.rows).map(({ name, value, kind }) => ({
    name: inline(name, extent === unbounded ? Infinity : longestName),
    ...shownText(value, extent),
    ...(kind && { kind }),
  }));
  return { type: 'arguments', rows, more: texts.length - rows.length };
}

/** A text without hidden characters: beginning, end and size if it is too long. */
export function shownText(text: string, { lines: most }: Pick<Extent, 'lines'> = inTranscript): ShownText {
  const isHuge = most !== Infinity && text.length > longestLookedAt;
  const half = longestLookedAt / 2;
  const lines = linesOf(visibleText(isHuge ? text.slice(0, half) + text.slice(-half) : text));
  const size = !fits(text, most) && { size: { characters: text.length, lines: text.split('\n').length } };
  if (lines.length <= most) return { value: lines.join(''), ...size };
  const start = Math.ceil(most * 0.7);
  return { value: lines.slice(0, start).join(''), end: lines.slice(start - most).join(''), ...size };
}

/** Dialogs that show a whole text, page by page, before it can be confirmed. */
export function dialogsAbout(text: string, action: string): { detail: string; action: string }[] {
  const { value, end, size } = shownText(text, folded);
  const whole = { detail: visibleText(text), action };
  if (end === undefined || !size) return [whole];
  return [{ detail: [value, `… ${textSize(size)} …`, end].join('\n'), action: l10n.t('Show All') }, whole];
}
