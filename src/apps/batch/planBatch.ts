import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import type { FormField, MaxBytes } from '../app.ts';
import { checkAnswers, type FormAnswer, type FormAnswers } from '../appForm.ts';
import type { ChosenFile } from '../fileChoice.ts';
import type { Table, TableRow } from './csv.ts';

export type ColumnMapping = ReadonlyMap<string, number>;

export interface BatchRow extends TableRow {
  answers: FormAnswers;
}

export interface RowProblem {
  row: number;
  label: string;
  problem: string;
}

export function matchColumns(form: readonly FormField[], columns: readonly string[]): Map<string, number> {
  const mapping = new Map<string, number>();
  for (const { variable, label } of form) {
    const taken = [...mapping.values()];
    const found = [variable, label]
      .map((name) => columns.findIndex((column, at) => isAlike(column, name) && !taken.includes(at)))
      .find((at) => at >= 0);
    if (found !== undefined) mapping.set(variable, found);
  }
  return mapping;
}

export type FindFile = (cell: string) => Promise<ChosenFile | { refusal: string }>;

export async function planRows(
  { columns, rows }: Table,
  form: readonly FormField[],
  mapping: ColumnMapping,
  { common, maxBytes, findFile }: { common: FormAnswers; maxBytes: MaxBytes; findFile: FindFile },
): Promise<{ rows: BatchRow[]; problems: RowProblem[] }> {
  const planned: BatchRow[] = [];
  const problems: RowProblem[] = [];
  for (const row of rows) {
    const answers: Record<string, FormAnswer | undefined> = { ...common };
    const unreadable = new Set<string>();
    for (const field of form) {
      const at = mapping.get(field.variable);
      if (at === undefined) continue;
      const read = await readCell(field, row.cells[at] ?? '', findFile);
      if ('problem' in read) {
        unreadable.add(field.variable);
        problems.push({ row: row.number, label: columns[at] ?? field.label, problem: read.problem });
      } else answers[field.variable] = read.answer;
    }
    const readable = form.filter(({ variable }) => !unreadable.has(variable));
    planned.push({ ...row, answers });
    problems.push(...checkRow({ ...row, answers }, readable, maxBytes));
  }
  return { rows: planned, problems };
}

export function checkRow(row: BatchRow, form: readonly FormField[], maxBytes: MaxBytes): RowProblem[] {
  return checkAnswers(form, row.answers, maxBytes).map(({ variable, problem }) => {
    const label = form.find((field) => field.variable === variable)?.label ?? variable;
    return { row: row.number, label, problem };
  });
}

export function problemsText(name: string, problems: readonly RowProblem[]): string {
  const shown = problems.slice(0, maxShown).map(({ row, label, problem }) => {
    return `- ${l10n.t('Row {0}', formatNumber(row))}, ${oneLine(label, 40)}: ${oneLine(problem, 300)}`;
  });
  const more = problems.length - shown.length;
  return [
    `# ${oneLine(name)}`,
    '',
    l10n.t('Nothing was sent. Correct these cells and run again.'),
    '',
    ...shown,
    ...(more > 0 ? ['', l10n.t('and {0} more', formatNumber(more))] : []),
    '',
  ].join('\n');
}

export function mappingText(
  form: readonly FormField[],
  columns: readonly string[],
  mapping: ColumnMapping,
): string {
  const lines = form.flatMap(({ variable, label }) => {
    const at = mapping.get(variable);
    return at === undefined
      ? []
      : [l10n.t('{0}: column "{1}"', oneLine(label, 40), oneLine(columns[at] ?? '', 40))];
  });
  const used = new Set(mapping.values());
  const unused = columns.filter((_, at) => !used.has(at)).map((name) => oneLine(name, 40));
  if (unused.length > 0) {
    lines.push(
      plural(
        unused.length,
        l10n.t('Not sent: column {0}', unused[0] ?? ''),
        l10n.t('Not sent: columns {0}', unused.slice(0, 10).join(', ')),
      ),
    );
  }
  return lines.join('\n');
}

const maxShown = 200;

async function readCell(
  field: FormField,
  cell: string,
  findFile: FindFile,
): Promise<{ answer: FormAnswer | undefined } | { problem: string }> {
  const word = cell.trim();
  if (word === '') return { answer: undefined };
  switch (field.type) {
    case 'checkbox': {
      const isTicked = yes.test(word) || (no.test(word) ? false : undefined);
      return isTicked === undefined ? { problem: l10n.t('Enter yes or no.') } : { answer: isTicked };
    }
    case 'select':
      return { answer: (field.options ?? []).find((option) => isAlike(option, word)) ?? word };
    case 'number':
      return { answer: word };
    case 'file':
    case 'file-list': {
      const names = field.type === 'file' ? [word] : word.split(/[\n;]/);
      const files: ChosenFile[] = [];
      for (const name of names.map((each) => each.trim()).filter(Boolean)) {
        const file = await findFile(name);
        if ('refusal' in file) return { problem: file.refusal };
        files.push(file);
      }
      return { answer: files };
    }
    default:
      return { answer: cell };
  }
}

const yes = /^(true|yes|y|1|x|✓|是)$/i;
const no = /^(false|no|n|0|否)$/i;

function isAlike(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
