import * as l10n from '@vscode/l10n';
import Papa from 'papaparse';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { formatNumber } from '../../base/text/format.ts';
import { oneLine } from '../../base/text/oneLine.ts';

export interface Table {
  columns: readonly string[];
  rows: readonly TableRow[];
}

export interface TableRow {
  /** Row number as in spreadsheets: the header is row 1. */
  number: number;
  cells: readonly string[];
}

/** Throws a `SwitchboardError` for anything that is no table. Empty rows are dropped. */
export function readTable(text: string): Table {
  const bare = text.replace(/^\ufeff/, '');
  // Empty rows count in row numbers but would mislead the detection of the separator.
  const { delimiter } = Papa.parse<string[]>(bare, { preview: 20, skipEmptyLines: 'greedy' }).meta;
  const { data, errors } = Papa.parse<string[]>(bare, { delimiter });
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken) {
    throw notATable(l10n.t('Row {0} has an unclosed quotation mark.', formatNumber((broken.row ?? 0) + 1)));
  }
  const [header = [], ...lines] = data;
  const columns = header.map((name) => name.trim());
  if (columns.every((name) => name === '')) throw notATable(l10n.t('The first row has no column names.'));
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) {
    throw notATable(
      twice === ''
        ? l10n.t('Some columns have no name in the first row.')
        : l10n.t('Two columns are named "{0}".', oneLine(twice, 40)),
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

/** Formats CSV lines. Texts that a spreadsheet would evaluate are escaped. */
export function toLines(rows: readonly (readonly string[])[]): string {
  const written = Papa.unparse(rows as string[][], { newline: '\n', escapeFormulae: formula });
  return `${written}\n`;
}

export function asRead(cells: readonly string[]): readonly string[] {
  return readLines(toLines([cells]))[0] ?? [];
}

/** Rows of our own CSV file, ignoring a torn end. */
export function readLines(text: string): string[][] {
  return Papa.parse<string[]>(text.replace(/^\ufeff/, ''), {
    ...{ delimiter: ',', newline: '\n', skipEmptyLines: true },
  }).data;
}

/** Beginning of a formula in spreadsheets; a signed number is none. */
const formula = /^[=@\t\r]|^[+-](?![\d.,]+$)/;

function notATable(why: string): SwitchboardError {
  return new SwitchboardError('local-file', `${l10n.t("The file isn't a valid CSV table.")} ${why}`);
}
