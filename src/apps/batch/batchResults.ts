import { open, readFile, writeFile } from 'node:fs/promises';
import { createTurns } from '../../base/async/promises.ts';
import { replaceFile } from '../../base/files/replaceFile.ts';
import { isMissing } from '../../base/errors/errors.ts';
import { asObject, parseJson } from '../../base/json.ts';
import type { AppRun } from '../app.ts';
import { asRead, readLines, type Table, type TableRow, toLines } from './csv.ts';

export interface RowResult {
  row: TableRow;
  status: AppRun['status'];
  output?: string;
  error?: string;
  runId?: string;
  elapsedMs?: number;
  tokens?: number;
}

const resultColumns = [
  'run status',
  'run output',
  'run error',
  'run id',
  'run seconds',
  'run tokens',
] as const;

const outputColumn = resultColumns.indexOf('run output');
/** Further outputs are in the JSON of `run output` alone. */
const mostOutputColumns = 50;

/** Appended as soon as something is known; a row's last line counts. A file made for another table is never touched. */
export class BatchResults {
  private readonly inTurn = createTurns();
  private readonly lines = new Map<number, string[]>();
  /** True if the last line is torn: text appended to it would become part of it. */
  private isTorn = false;

  private constructor(
    private readonly path: string,
    private readonly table: Table,
  ) {}

  static async read(path: string, table: Table): Promise<BatchResults | undefined> {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    const results = new BatchResults(path, table);
    results.isTorn = !text.endsWith('\n');
    const [header, ...lines] = readLines(text);
    const { length } = results.header;
    if (!header || !isEqual(header.slice(0, length), asRead(results.header))) return undefined;
    for (const line of lines) {
      const number = Number(line[0]);
      // A column for each output follows, made again from `run output`.
      if (Number.isInteger(number) && line.length >= length) results.lines.set(number, line.slice(0, length));
    }
    return results;
  }

  /** Creates the file. Rejects if it exists. */
  static async create(path: string, table: Table): Promise<BatchResults> {
    const results = new BatchResults(path, table);
    // Spreadsheets need a byte order mark to read UTF-8.
    await writeFile(path, `\ufeff${toLines([results.header])}`, { flag: 'wx' });
    return results;
  }

  of({ number, cells }: TableRow): { status: string; runId?: string } | undefined {
    const line = this.lines.get(number);
    if (!line || !isEqual(line.slice(1, 1 + cells.length), asRead(cells))) return undefined;
    const [status = '', , , runId] = line.slice(1 + cells.length);
    return { status, ...(runId && { runId }) };
  }

  /** Resolves once the line is on disk. */
  add(result: RowResult): Promise<void> {
    const { row, status, output = '', error = '', runId = '', elapsedMs, tokens } = result;
    const line = [
      String(row.number),
      ...row.cells,
      ...[status, output, error, runId],
      elapsedMs === undefined ? '' : (elapsedMs / 1000).toFixed(1),
      tokens === undefined ? '' : String(tokens),
    ];
    this.lines.set(row.number, [...asRead(line)]);
    if (this.isTorn) return this.tidy();
    return this.inTurn(async () => {
      const file = await open(this.path, 'a');
      try {
        await file.writeFile(toLines([line]));
        await file.datasync();
      } finally {
        await file.close();
      }
    });
  }

  /** Rewrites the file atomically with one line per row, in table order, and a column for each of several outputs. */
  tidy(): Promise<void> {
    this.isTorn = false;
    return this.inTurn(async () => {
      const rows = this.table.rows.flatMap((row) => (this.of(row) ? [this.lines.get(row.number) ?? []] : []));
      const outputs = rows.map((line) => outputsIn(line[1 + this.table.columns.length + outputColumn] ?? ''));
      const names = [...new Set(outputs.flatMap((each) => [...each.keys()]))].slice(0, mostOutputColumns);
      const header = [...this.header, ...names.map((name) => `run output: ${name}`)];
      const lines = rows.map((line, at) => [...line, ...names.map((name) => outputs[at]?.get(name) ?? '')]);
      await replaceFile(this.path, `\ufeff${toLines([header, ...lines])}`);
    });
  }

  private get header(): string[] {
    return ['row', ...this.table.columns, ...resultColumns];
  }
}

/** Outputs by name, as texts; none if there is a single one that isn't an object itself. */
function outputsIn(cell: string): ReadonlyMap<string, string> {
  const outputs = cell.startsWith('{') ? asObject(parseJson(cell)) : undefined;
  return new Map(
    Object.entries(outputs ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((cell, index) => cell === b[index]);
}
