import * as l10n from '@vscode/l10n';
import { inline } from '../base/text/oneLine.ts';
import { FlowValue, parseYaml, type TextRange } from '../flows/dsl/flowValue.ts';
import type { LineRange } from '../knowledge/files/locateSegment.ts';
import { maxQueryCharacters } from '../platform/retrieve.ts';

/** A place that a search must find: a segment of the file that has one of the lines, and all the words. */
export interface ExpectedPlace {
  readonly range: TextRange;
  /** Path from the workspace folder, or a document's name. */
  readonly file: string;
  readonly lines?: LineRange;
  readonly words: readonly string[];
}

export interface TestQuestion {
  readonly range: TextRange;
  readonly text: string;
  readonly places: readonly ExpectedPlace[];
  /** Number of search results that must hold all places; by default, what the search settings say. */
  readonly top?: number;
  /** Words that an answer from the found segments must contain; none if no answer is asked for. */
  readonly answer: readonly string[];
  readonly problem?: string;
}

export interface TestProblem extends TextRange {
  readonly message: string;
}

export interface TestFile {
  /** Names or ids. */
  readonly bases: readonly string[];
  readonly questions: readonly TestQuestion[];
  readonly problems: readonly TestProblem[];
  readonly problem?: string;
}

export const testFilePattern = /\.knowledge-test\.ya?ml$/i;

export const testFileFields = {
  file: ['knowledge', 'top', 'questions'],
  question: ['question', 'find', 'top', 'answer'],
  place: ['file', 'lines', 'words'],
} as const;

export const mostResults = 50;
const mostQuestions = 500;
const longestWords = 1000;

type Report = (range: TextRange, message: string) => void;

/** Reads `*.knowledge-test.yaml`. Never throws; what can't be read is a problem at its place. */
export function readTestFile(text: string): TestFile {
  const problems: TestProblem[] = [];
  // The end of a block is in the line after it.
  const trimmed = ({ start, end }: TextRange): TextRange => ({
    start,
    end: start + text.slice(start, end).trimEnd().length,
  });
  const report: Report = (range, message) => problems.push({ ...trimmed(range), message });
  const top = { start: 0, end: Math.min(text.length, 1) };
  const { contents, problems: syntax, refused } = parseYaml(text, '1.2');
  for (const problem of syntax) report(problem, l10n.t('Not valid YAML: {0}', inline(problem.message)));
  if (refused) report(top, l10n.t('The file is too long or too deeply nested.'));
  const root = contents ? new FlowValue(contents, (offset) => offset) : undefined;
  if (!root?.isObject()) {
    if (problems.length === 0) {
      report(top, l10n.t('The file needs the fields "knowledge" and "questions".'));
    }
    return withProblem({ bases: [], questions: [], problems });
  }
  checkFields(root, testFileFields.file, report);
  const bases = readTexts(root.get('knowledge'), report);
  if (bases.length === 0) {
    report(root.keyRange('knowledge') ?? top, l10n.t('Name a knowledge base in the field "knowledge".'));
  }
  const fileTop = readTop(root.get('top'), report);
  const ofFile = problems.length;
  const entries = root.get('questions')?.items() ?? [];
  const questions = entries
    .slice(0, mostQuestions)
    .map((entry) => readQuestion(entry, fileTop, report, problems))
    .map((question) => ({ ...question, range: trimmed(question.range) }));
  const file = withProblem({ bases, questions, problems: problems.slice(0, ofFile) });
  if (entries.length === 0) {
    report(
      root.keyRange('questions') ?? top,
      l10n.t('There are no questions. List them in the field "questions".'),
    );
  }
  const [extra] = entries.slice(mostQuestions);
  if (extra) report(extra.range, l10n.t('A file can have at most {0} questions.', mostQuestions));
  const seen = new Set<string>();
  for (const [index, { text: asked, range }] of questions.entries()) {
    if (asked !== '' && seen.has(asked)) {
      report(range, l10n.t('Another question has the same text.'));
      questions[index] = { ...questions[index]!, problem: problems.at(-1)!.message };
    }
    seen.add(asked);
  }
  return { ...file, questions, problems };
}

function withProblem(file: TestFile): TestFile {
  const [first] = file.problems;
  return first ? { ...file, problem: first.message } : file;
}

function readQuestion(
  entry: FlowValue,
  fileTop: number | undefined,
  report: Report,
  problems: readonly TestProblem[],
): TestQuestion {
  const before = problems.length;
  const value = entry.get('question');
  const text = value ? readText(value, report) : '';
  const place = entry.keyRange('question') ?? firstLine(entry);
  if (!entry.isObject()) {
    report(entry.range, l10n.t('A question needs the fields "question" and "find".'));
  } else {
    checkFields(entry, testFileFields.question, report);
    if (!value) report(place, l10n.t('The field "question" is missing.'));
    else if (Array.from(text).length > maxQueryCharacters) {
      report(value.range, l10n.t('The platform searches at most {0} characters.', maxQueryCharacters));
    }
  }
  const found = entry.get('find');
  const list = found?.isObject() ? [found] : (found?.items() ?? []);
  const places = list.flatMap((item) => readPlace(item, report) ?? []);
  if (entry.isObject() && list.length === 0) {
    report(
      entry.keyRange('find') ?? place,
      l10n.t('Name a place that must be found in the field "find": a file, with lines or words.'),
    );
  }
  const top = readTop(entry.get('top'), report) ?? fileTop;
  const answer = readTexts(entry.get('answer'), report);
  const [problem] = problems.slice(before);
  return {
    ...{ range: entry.range, text, places, answer },
    ...(top !== undefined && { top }),
    ...(problem && { problem: problem.message }),
  };
}

function readPlace(entry: FlowValue, report: Report): ExpectedPlace | undefined {
  if (!entry.isObject()) {
    report(entry.range, l10n.t('A place needs the field "file", and can have "lines" and "words".'));
    return undefined;
  }
  checkFields(entry, testFileFields.place, report);
  const value = entry.get('file');
  const file = value ? readText(value, report).replace(/^\.\//, '') : '';
  if (!value) report(firstLine(entry), l10n.t('The field "file" is missing.'));
  else if (/^\/|^[a-z]:|\\|(?:^|\/)\.\.?(?:\/|$)|\/$/i.test(file)) {
    report(value.range, l10n.t('Write the path from the workspace folder, with forward slashes.'));
  }
  const lines = readLines(entry.get('lines'), report);
  const words = readTexts(entry.get('words'), report);
  return { range: entry.range, file, words, ...(lines && { lines }) };
}

function readLines(value: FlowValue | undefined, report: Report): LineRange | undefined {
  if (!value) return undefined;
  const [, start, end = start] =
    /^([1-9]\d{0,8})(?:\s*[-–]\s*([1-9]\d{0,8}))?$/.exec(value.text()?.trim() ?? '') ?? [];
  const lines = { startLine: Number(start), endLine: Number(end) };
  if (start !== undefined && lines.startLine <= lines.endLine) return lines;
  report(value.range, l10n.t('Write one line or a range of lines, like 12 or 12-30.'));
  return undefined;
}

function readTop(value: FlowValue | undefined, report: Report): number | undefined {
  if (!value) return undefined;
  const top = /^\d{1,3}$/.test(value.text() ?? '') ? Number(value.text()) : 0;
  if (top >= 1 && top <= mostResults) return top;
  report(value.range, l10n.t('Write a number from 1 to {0}.', mostResults));
  return undefined;
}

function readTexts(value: FlowValue | undefined, report: Report): string[] {
  if (!value) return [];
  const items = value.items();
  return (items.length > 0 ? items : [value]).flatMap((item) => readText(item, report) || []);
}

function readText(value: FlowValue, report: Report): string {
  const text = value.text()?.trim() ?? '';
  if (text === '') report(value.range, l10n.t('Write a text here.'));
  else if (text.length > longestWords) {
    report(value.range, l10n.t('The text is longer than {0} characters.', longestWords));
  }
  return text;
}

function checkFields(value: FlowValue, known: readonly string[], report: Report): void {
  const seen = new Set<string>();
  for (const key of value.keys()) {
    const range = value.keyRange(key) ?? value.range;
    if (!known.includes(key)) {
      report(range, l10n.t('Unknown field "{0}". Known fields: {1}.', inline(key, 60), known.join(', ')));
    } else if (seen.has(key)) {
      report(range, l10n.t('The field "{0}" occurs twice.', key));
    }
    seen.add(key);
  }
}

function firstLine({ range: { start } }: FlowValue): TextRange {
  return { start, end: start + 1 };
}
