import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import { formatDuration } from '../../base/text/formatTime.ts';
import { formatTokens } from '../../base/text/formatUsage.ts';
import { parseJson } from '../../base/json.ts';
import type { AppFile, OutputFile } from '../app.ts';
import { toOutputFiles } from '../client/appFiles.ts';
import { isOutputFile, readFile } from '../client/appWire.ts';
import type { RunProgress } from './runProgress.ts';

export interface RunOutput {
  /** Markdown; empty without output. */
  text: string;
  files: readonly OutputFile[];
  /** Time, tokens and price in words; empty if unknown. Not part of the text. */
  head: string;
}

export function toRunOutput(
  progress: RunProgress,
  { name, baseUrl }: { name: string; baseUrl: string },
): RunOutput {
  const outputs = Object.entries(progress.run?.outputs ?? {});
  const ofOutputs = toOutputFiles(outputs.flatMap(([, value]) => filesIn(value, baseUrl)));
  // The same file may be in an output and in the answer.
  const files = unique([...ofOutputs, ...toOutputFiles(progress.files)]);
  const text = outputs.length === 0 ? progress.text : toDocument(name, outputs, baseUrl);
  const others = files.filter(({ address }) => !ofOutputs.some((link) => link.address === address));
  return { text: joined([text, listOf(others)]), files, head: toHead(progress) };
}

export function onlyText({ run, text }: RunProgress): string | undefined {
  const outputs = Object.values(run?.outputs ?? {});
  const texts = outputs.length === 0 ? [text] : outputs.filter((value) => typeof value === 'string');
  return texts.length === 1 && texts[0]?.trim() ? texts[0] : undefined;
}

function toDocument(
  app: string,
  outputs: readonly [name: string, value: unknown][],
  baseUrl: string,
): string {
  const [only] = outputs;
  if (outputs.length === 1 && only) return toMarkdown(only[1], baseUrl);
  const sections = outputs.map(
    ([name, value]) => `## ${escaped(name)}\n\n${toMarkdown(value, baseUrl) || l10n.t('(empty)')}`,
  );
  return joined([`# ${escaped(app)}`, ...sections]);
}

function toMarkdown(value: unknown, baseUrl: string): string {
  if (value === null || value === undefined) return '';
  if (isFiles(value)) return listOf(unique(toOutputFiles(filesIn(value, baseUrl))));
  // JSON text stays verbatim: its numbers may exceed ours.
  if (typeof value === 'string') return isJson(value) ? fenced(value.trim()) : value.trimEnd();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.length > 0 && value.every(isLine)) {
    return value.map((item) => `- ${item}`).join('\n');
  }
  return fenced(JSON.stringify(value, (_key, part: unknown) => shownValue(part, baseUrl), 2));
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text) !== undefined;
}

function isLine(item: unknown): item is string | number {
  return typeof item === 'number' || (typeof item === 'string' && item !== '' && !item.includes('\n'));
}

/** The fence must be longer than any in the text. */
function fenced(json: string): string {
  const longest = Math.max(2, ...Array.from(json.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${json}\n${fence}`;
}

/** The editor asks before opening a link. */
function listOf(links: readonly OutputFile[]): string {
  return links.map(({ name, address }) => `- [${escaped(name)}](<${address}>)`).join('\n');
}

function joined(parts: readonly string[]): string {
  return parts.filter(Boolean).join('\n\n');
}

function unique(links: readonly OutputFile[]): OutputFile[] {
  return links.filter(({ address }, index) => links.findIndex((link) => link.address === address) === index);
}

export function shownValue(value: unknown, baseUrl: string): unknown {
  if (!isOutputFile(value)) return value;
  const { name, mimeType, size, address } = readFile(value, baseUrl);
  return { name, type: mimeType, size, url: address };
}

function toHead({ run, usage }: RunProgress): string {
  const tokens = run?.tokens ?? usage?.totalTokens;
  const parts = [
    run?.elapsedMs === undefined ? '' : formatDuration(run.elapsedMs),
    tokens === undefined ? '' : formatTokens(tokens),
    run?.stepCount === undefined
      ? ''
      : plural(run.stepCount, l10n.t('1 step'), l10n.t('{0} steps', formatNumber(run.stepCount))),
    usage?.price === undefined || Number(usage.price) === 0
      ? ''
      : `${usage.price} ${usage.currency ?? ''}`.trim(),
  ];
  return parts.filter(Boolean).join(' · ');
}

function isFiles(value: unknown): boolean {
  return isOutputFile(value) || (Array.isArray(value) && value.length > 0 && value.every(isOutputFile));
}

function filesIn(value: unknown, baseUrl: string): AppFile[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter(isOutputFile).map((file) => readFile(file, baseUrl));
}

function escaped(name: string): string {
  return name.replace(/[\p{Cc}]/gu, ' ').replace(/[\\[\]*_`<>!]/g, String.raw`\$&`);
}
