import { open, readFile, writeFile } from 'node:fs/promises';
import { replaceFile } from '../../base/files/replaceFile.ts';
import { isMissing } from '../../base/errors/errors.ts';
import type { AppRun } from '../app.ts';
import { asRead, readLines, type Table, type TableRow, toLines } from './csv.ts';

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

/** Column names after those of the table. */
const resultColumns = [
  'run status',
  'run output',
  'run error',
  'run id',
  'run seconds',
  'run tokens',
] as const;

/** Appended as soon as something is known; a row's last line counts. A file made for another table is never touched. */
export class BatchResults {
  private writing: Promise<void> = Promise.resolve();
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
    if (!header || !isEqual(header, asRead(results.header))) return undefined;
    for (const line of lines) {
      const number = Number(line[0]);
      if (Number.isInteger(number) && line.length === header.length) results.lines.set(number, line);
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

  /** Rewrites the file atomically with one line per row, in table order. */
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
