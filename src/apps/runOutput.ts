import * as l10n from '@vscode/l10n';
import { formatDuration, formatNumber, formatTokens, plural } from '../base/format.ts';
import { parseJson } from '../base/json.ts';
import type { AppFile } from '../platform/apps/appRecords.ts';
import { isOutputFile, readFile } from '../platform/apps/appWire.ts';
import { fileAddress } from '../platform/apps/fileTypes.ts';
import type { RunProgress } from './runProgress.ts';

/** What a run or a completion came to, to be opened as a document. */
export interface RunOutput {
  language: 'markdown' | 'json';
  /** Empty when there is no output. */
  text: string;
  /** Files in the output that can be opened. */
  files: readonly { name: string; address: string }[];
  /** What it took, in the person's language; empty when nobody said. Kept out of the text. */
  head: string;
}

/** `baseUrl` is the platform's, for addresses of files that are relative to it. */
export function toRunOutput(progress: RunProgress, baseUrl: string): RunOutput {
  const outputs = Object.entries(progress.run?.outputs ?? {});
  const said = outputs.filter(([, value]) => !isFiles(value));
  const found = [...outputs.flatMap(([, value]) => filesIn(value)), ...progress.files];
  const links = found.flatMap((file, index) => toLink(file, index, baseUrl));
  // The same file may be an output and belong to the answer.
  const files = [...new Map(links.map((link) => [link.address, link])).values()];
  const [only] = said;
  const text =
    said.length === 0
      ? progress.text
      : said.length === 1 && typeof only?.[1] === 'string'
        ? only[1]
        : undefined;
  return {
    ...(text === undefined ? asJson(progress.run?.outputs, baseUrl) : asText(text, files)),
    files,
    head: toHead(progress),
  };
}

/** Text that is JSON stays as it was written: numbers may be longer than ours. */
function asText(text: string, files: RunOutput['files']): Pick<RunOutput, 'language' | 'text'> {
  if (/^\s*[[{]/.test(text) && parseJson(text) !== undefined) return { language: 'json', text };
  const links = files.map(({ name, address }) => `- [${escaped(name)}](<${address}>)`).join('\n');
  return { language: 'markdown', text: [text, links].filter(Boolean).join('\n\n') };
}

function asJson(outputs: object | undefined, baseUrl: string): Pick<RunOutput, 'language' | 'text'> {
  const text = JSON.stringify(outputs, (_key, value: unknown) => shownValue(value, baseUrl), 2);
  return { language: 'json', text };
}

/** Of a file what a person can use; what else the platform says of it is of its own affairs. */
function shownValue(value: unknown, baseUrl: string): unknown {
  if (!isOutputFile(value)) return value;
  const { name, mimeType, size, url } = readFile(value);
  return { name, type: mimeType, size, url: fileAddress(url, baseUrl) };
}

/** Elapsed time, tokens and price, as far as they are known. */
function toHead({ run, usage }: RunProgress): string {
  const tokens = run?.tokens ?? usage?.totalTokens;
  const parts = [
    run?.elapsedMs === undefined ? '' : formatDuration(run.elapsedMs),
    tokens === undefined ? '' : formatTokens(tokens),
    run?.steps === undefined
      ? ''
      : plural(run.steps, l10n.t('1 step'), l10n.t('{0} steps', formatNumber(run.steps))),
    usage?.price === undefined || Number(usage.price) === 0
      ? ''
      : `${usage.price} ${usage.currency ?? ''}`.trim(),
  ];
  return parts.filter(Boolean).join(' · ');
}

function isFiles(value: unknown): boolean {
  return isOutputFile(value) || (Array.isArray(value) && value.length > 0 && value.every(isOutputFile));
}

function filesIn(value: unknown): AppFile[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter(isOutputFile).map(readFile);
}

function toLink({ name, url }: AppFile, index: number, baseUrl: string): RunOutput['files'] {
  const address = fileAddress(url, baseUrl);
  return address ? [{ name: name ?? l10n.t('File {0}', index + 1), address }] : [];
}

function escaped(name: string): string {
  return name.replace(/[\p{Cc}]/gu, ' ').replace(/[\\[\]*_`<>!]/g, String.raw`\$&`);
}
