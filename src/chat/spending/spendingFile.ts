import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from '../../base/json.ts';
import { appendLine, lineBytes } from '../../base/files/writeLines.ts';
import { localDate } from '../../base/text/formatTime.ts';
import { isMissing } from '../../base/errors/errors.ts';

/** Tokens count input and output; a missing `money` means an unknown price. */
export interface Spending {
  tokens: number;
  money?: {
    amount: number;
    currency: string;
    lacksGroup?: true;
  };
}

export interface Spent {
  tokens: number;
  money: ReadonlyMap<string, number>;
  allowed: ReadonlySet<string>;
}

export interface SpendingEntry {
  readonly id: string;
  readonly day: string;
}

const lineSchema = z.union([
  z.object({
    id: z.string(),
    tokens: z.number().check(z.nonnegative()),
    money: z.optional(z.object({ amount: z.number().check(z.nonnegative()), currency: z.string() })),
  }),
  z.object({ allowed: z.string() }),
]);

interface ReadDay {
  day: string;
  size: number;
  entries: Map<string, Spending>;
  allowed: Set<string>;
}

/** Spending of all windows, in one file per local day. Windows append lines; the last line of a request counts. */
export class SpendingFile {
  private read: ReadDay | undefined;

  constructor(
    private readonly folder: string,
    private readonly now: () => Date,
  ) {}

  begin(id: string): SpendingEntry {
    return { id, day: localDate(this.now()) };
  }

  async note({ id, day }: SpendingEntry, spending: Spending): Promise<void> {
    await this.append(day, { id, ...spending });
  }

  async allow(budget: string): Promise<void> {
    await this.append(localDate(this.now()), { allowed: budget });
  }

  async today(): Promise<Spent> {
    const { entries, allowed } = await this.readDay(localDate(this.now()));
    const money = new Map<string, number>();
    let tokens = 0;
    for (const each of entries.values()) {
      tokens += each.tokens;
      if (!each.money) continue;
      const { amount, currency } = each.money;
      money.set(currency, (money.get(currency) ?? 0) + amount);
    }
    return { tokens, money, allowed };
  }

  private async append(day: string, line: z.infer<typeof lineSchema>): Promise<void> {
    const text = JSON.stringify(line);
    const size = await appendLine(this.pathOf(day), text);
    const isFirst = size <= lineBytes(text);
    if (isFirst) await this.removeOld(day);
  }

  private async readDay(day: string): Promise<ReadDay> {
    const known = this.read?.day === day ? this.read : undefined;
    const read = known ?? { day, size: 0, entries: new Map(), allowed: new Set() };
    const bytes = await bytesFrom(this.pathOf(day), read.size);
    // An incomplete last line is read next time.
    const end = bytes.lastIndexOf('\n') + 1;
    for (const text of bytes.toString('utf8', 0, end).split('\n')) {
      const line = lineSchema.safeParse(parseJson(text)).data;
      if (!line) continue;
      if ('allowed' in line) read.allowed.add(line.allowed);
      else read.entries.set(line.id, { tokens: line.tokens, ...(line.money && { money: line.money }) });
    }
    read.size += end;
    this.read = read;
    return read;
  }

  /** Keeps the previous day, on which a request may still be counted. */
  private async removeOld(day: string): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => dayFile.test(name)).toSorted();
    const old = names.filter((name) => name < `${day}.jsonl`).slice(0, -1);
    await Promise.all(old.map((name) => rm(join(this.folder, name), { force: true })));
  }

  private pathOf(day: string): string {
    return join(this.folder, `${day}.jsonl`);
  }
}

const dayFile = /^\d{4}-\d\d-\d\d\.jsonl$/;

async function bytesFrom(path: string, start: number): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!file) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
