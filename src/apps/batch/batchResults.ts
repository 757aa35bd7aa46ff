import { open, readFile, writeFile } from 'node:fs/promises';
import { replaceFile } from '../../base/replaceFile.ts';
import { isMissing } from '../../base/systemCode.ts';
import type { AppRun } from '../app.ts';
import { asRead, readLines, type Table, type TableRow, toLines } from './csv.ts';

/** What a row came to; while it runs, which run of the platform it is. */
export interface RowResult {
  row: TableRow;
  status: AppRun['status'];
  /** Text, or JSON of several outputs. */
  output?: string;
  error?: string;
  runId?: string;
  elapsedMs?: number;
  tokens?: number;
}

/** Names of the columns after those of the table. */
const resultColumns = [
  'run status',
  'run output',
  'run error',
  'run id',
  'run seconds',
  'run tokens',
] as const;

/**
 * The results of a batch, in a CSV file: the cells of each row and what came of them. A line is added as soon as
 * something is known of a row, so a window that dies loses nothing; the last line of a row counts. Made for one table: a file
 * of another is not touched.
 */
export class BatchResults {
  private writing: Promise<void> = Promise.resolve();
  private readonly lines = new Map<number, string[]>();
  /** The last line was cut off: what is added to it would be read as a part of it. */
  private isTorn = false;

  private constructor(
    private readonly path: string,
    private readonly table: Table,
  ) {}

  /** Reads what an earlier batch over the same columns left; undefined where there is no such file. */
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
    if (!header || !isEqual(header, asRead(results.header))) return undefined;
    for (const line of lines) {
      const number = Number(line[0]);
      // The last line may be torn.
      if (Number.isInteger(number) && line.length === header.length) results.lines.set(number, line);
    }
    return results;
  }

  /** Begins a file. Rejects when there is one already. */
  static async create(path: string, table: Table): Promise<BatchResults> {
    const results = new BatchResults(path, table);
    // Spreadsheets take the mark for the sign that it is UTF-8.
    await writeFile(path, `\ufeff${toLines([results.header])}`, { flag: 'wx' });
    return results;
  }

  /** What is known of a row, as long as its cells are those that it was run with. */
  of({ number, cells }: TableRow): { status: string; runId?: string } | undefined {
    const line = this.lines.get(number);
    if (!line || !isEqual(line.slice(1, 1 + cells.length), asRead(cells))) return undefined;
    const [status = '', , , runId] = line.slice(1 + cells.length);
    return { status, ...(runId && { runId }) };
  }

  /** Resolves when the line is on the disk. */
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

  /** One line for each row, in the order of the table; readers see the file of before or of after. */
  tidy(): Promise<void> {
    this.isTorn = false;
    return this.inTurn(async () => {
      const rows = this.table.rows.flatMap((row) => (this.of(row) ? [this.lines.get(row.number) ?? []] : []));
      await replaceFile(this.path, `\ufeff${toLines([this.header, ...rows])}`);
    });
  }

  private get header(): string[] {
    return ['row', ...this.table.columns, ...resultColumns];
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.writing.then(work);
    this.writing = done.catch(() => undefined);
    return done;
  }
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((cell, index) => cell === b[index]);
}
