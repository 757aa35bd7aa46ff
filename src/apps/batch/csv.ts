import * as l10n from '@vscode/l10n';
import Papa from 'papaparse';
import { SwitchboardError } from '../../base/errors.ts';
import { formatNumber } from '../../base/format.ts';
import { oneLine } from '../../base/oneLine.ts';

/** A table as a spreadsheet shows it. */
export interface Table {
  /** The texts of the first row, each once. */
  columns: readonly string[];
  rows: readonly TableRow[];
}

export interface TableRow {
  /** As spreadsheets count: the header is row 1. */
  number: number;
  /** One for each column. */
  cells: readonly string[];
}

/**
 * Reads the text of a CSV file with any usual separator. Throws a `SwitchboardError` for what is no table: nothing of a
 * file that was misread may be sent. Rows without any text are left out.
 */
export function readTable(text: string): Table {
  const bare = text.replace(/^\ufeff/, '');
  // Empty rows count in the numbers of rows, but would mislead the search for the separator.
  const { delimiter } = Papa.parse<string[]>(bare, { preview: 20, skipEmptyLines: 'greedy' }).meta;
  const { data, errors } = Papa.parse<string[]>(bare, { delimiter });
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken) {
    throw notATable(
      l10n.t('A quotation mark in row {0} is not closed.', formatNumber((broken.row ?? 0) + 1)),
    );
  }
  const [header = [], ...lines] = data;
  const columns = header.map((name) => name.trim());
  if (columns.every((name) => name === '')) throw notATable(l10n.t('The first row names no columns.'));
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) {
    throw notATable(
      twice === ''
        ? l10n.t('Some columns have no name in the first row.')
        : l10n.t('Two columns are called "{0}".', oneLine(twice, 40)),
    );
  }
  const rows = lines.flatMap((cells, index): TableRow[] => {
    if (cells.every((cell) => cell.trim() === '')) return [];
    if (cells.slice(columns.length).some((cell) => cell !== '')) {
      throw notATable(
        l10n.t(
          'Row {0} has {1} cells, but there are {2} columns.',
          formatNumber(index + 2),
          formatNumber(cells.length),
          formatNumber(columns.length),
        ),
      );
    }
    return [{ number: index + 2, cells: columns.map((_, at) => cells[at] ?? '') }];
  });
  return { columns, rows };
}

/** Lines of a CSV file, the last one ended. A text that a spreadsheet would calculate is written as the text it is. */
export function toLines(rows: readonly (readonly string[])[]): string {
  const written = Papa.unparse(rows as string[][], { newline: '\n', escapeFormulae: formula });
  return `${written}\n`;
}

/** Cells as they are read back from what `toLines` makes of them. */
export function asRead(cells: readonly string[]): readonly string[] {
  return readLines(toLines([cells]))[0] ?? [];
}

/** Rows of a CSV file of ours, whatever was torn off at its end. */
export function readLines(text: string): string[][] {
  return Papa.parse<string[]>(text.replace(/^\ufeff/, ''), {
    ...{ delimiter: ',', newline: '\n', skipEmptyLines: true },
  }).data;
}

/** What spreadsheets take for a formula; a number with its sign is none. */
const formula = /^[=@\t\r]|^[+-](?![\d.,]+$)/;

function notATable(why: string): SwitchboardError {
  return new SwitchboardError('local-file', `${l10n.t("The file can't be read as a table.")} ${why}`);
}
