import { isDeepStrictEqual } from 'node:util';
import { FlowValue, parseYaml } from '../flows/dsl/flowValue.ts';
import type { LineRange } from '../knowledge/files/locateSegment.ts';
import { namedLines } from './runQuestion.ts';
import { readTestFile, type TestQuestion } from './testFile.ts';

export interface NewQuestion {
  readonly question: string;
  readonly file: string;
  readonly lines?: LineRange;
  readonly words: string;
}

export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** Appends questions; an empty file becomes one for `knowledge`. Undefined if it is or becomes unreadable. */
export function appendQuestions(
  text: string,
  knowledge: string,
  questions: readonly NewQuestion[],
): Insertion | undefined {
  const insertion = insertionFor(text, knowledge, questions);
  if (!insertion) return undefined;
  const before = readTestFile(text);
  const after = readTestFile(text.slice(0, insertion.offset) + insertion.text + text.slice(insertion.offset));
  const kept = after.questions.slice(0, before.questions.length);
  const added = after.questions.slice(before.questions.length);
  const isComplete =
    after.problems.length <= before.problems.length &&
    isDeepStrictEqual(kept.map(withTop), before.questions.map(withTop)) &&
    isDeepStrictEqual(added.map(meaning), questions.map(toMeaning));
  return isComplete ? insertion : undefined;
}

function withTop(question: TestQuestion): unknown {
  return [question.top, meaning(question)];
}

function meaning({ text, answer, problem, places }: TestQuestion): unknown {
  return { text, answer, problem, places: places.map(({ file, lines, words }) => ({ file, lines, words })) };
}

function toMeaning({ question, file, lines, words }: NewQuestion): unknown {
  const places = [{ file, lines, words: [words] }];
  return { text: question, answer: [], problem: undefined, places };
}

function insertionFor(
  text: string,
  knowledge: string,
  questions: readonly NewQuestion[],
): Insertion | undefined {
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  const block = (column: number) =>
    questions.map((each) => `${end}${blockOf(each, ' '.repeat(column), end)}`).join('');
  const { contents, problems, refused } = parseYaml(text, '1.2');
  if (problems.length > 0 || refused) return undefined;
  const atEnd = (added: string): Insertion => {
    const own = text.trimEnd();
    return { offset: own.length, text: own === '' ? added.slice(end.length) : added };
  };
  if (!contents) return atEnd(`${end}knowledge: ${asYaml(knowledge)}${end}questions:${block(2)}`);
  const root = new FlowValue(contents, (offset) => offset);
  const key = root.keyRange('questions');
  if (!root.isObject()) return undefined;
  const isFlow = text[root.range.start] === '{';
  if (!key) return isFlow ? undefined : atEnd(`${end}questions:${block(2)}`);
  const list = root.get('questions');
  const items = list?.items() ?? [];
  const last = items.at(-1);
  const start = list?.range.start ?? key.end;
  if (text[start] === '[') {
    const flow = questions.map(flowOf).join(', ');
    return last ? { offset: last.range.end, text: `, ${flow}` } : { offset: start + 1, text: flow };
  }
  if (isFlow) return undefined;
  const lineStart = (offset: number) => text.lastIndexOf('\n', offset - 1) + 1;
  if (last) return { offset: lineEnd(text, contentEnd(text, last)), text: block(start - lineStart(start)) };
  return { offset: lineEnd(text, key.end), text: block(key.start - lineStart(key.start) + 2) };
}

/** The end of a block is in the line after it. */
function contentEnd(text: string, { range }: FlowValue): number {
  return range.start + text.slice(range.start, range.end).trimEnd().length;
}

function lineEnd(text: string, offset: number): number {
  const rest = /[^\r\n]*/.exec(text.slice(offset))?.[0] ?? '';
  return offset + rest.length;
}

function blockOf({ question, file, lines, words }: NewQuestion, indent: string, end: string): string {
  return [
    `- question: ${asYaml(question)}`,
    '  find:',
    `    - file: ${asYaml(file)}`,
    ...(lines ? [`      lines: ${namedLines(lines)}`] : []),
    `      words: ${asYaml(words)}`,
  ]
    .map((line) => indent + line)
    .join(end);
}

function flowOf({ question, file, lines, words }: NewQuestion): string {
  return JSON.stringify({ question, find: { file, ...(lines && { lines: namedLines(lines) }), words } });
}

export function asYaml(text: string): string {
  return /^[\p{L}_][\p{L}\p{N}_./ -]*\??$/u.test(text) &&
    !/^(?:null|true|false)$/i.test(text) &&
    !text.endsWith(' ')
    ? text
    : JSON.stringify(text);
}
