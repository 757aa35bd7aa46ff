import type { Log } from '../../base/log.ts';
import { messageOf } from '../../base/errors/errors.ts';
import { readRecords, type ManifestRecord } from './manifestRecords.ts';
import { ManifestState } from './manifestState.ts';
import type { ManifestStorage } from './manifestStorage.ts';

/** Fewer dead lines aren't worth rewriting. */
const fewDeadLines = 500;

export class Manifest {
  private current = new ManifestState();
  private readonly late = new Set<ManifestRecord[]>();
  private read: { text: string; records: ManifestRecord[] } = { text: '', records: [] };

  constructor(
    private readonly storage: ManifestStorage,
    private readonly name: string,
    private readonly log: Log,
  ) {}

  get state(): ManifestState {
    return this.current;
  }

  async reload(): Promise<void> {
    const late: ManifestRecord[] = [];
    this.late.add(late);
    try {
      const text = (await this.storage.read(this.name)) ?? '';
      const state = new ManifestState();
      for (const record of this.readAgain(text)) state.apply(record);
      for (const record of late) state.apply(record);
      this.current = state;
    } finally {
      this.late.delete(late);
    }
  }

  /** Parses only what was added since the last read: of 20,000 documents, all lines take half a second. */
  private *readAgain(text: string): Generator<ManifestRecord, void, void> {
    if (!text.startsWith(this.read.text)) this.read = { text: '', records: [] };
    const { text: before, records } = this.read;
    // A line that another window is just writing is read again.
    const end = text.lastIndexOf('\n') + 1;
    for (const record of readRecords(text.slice(before.length, end))) records.push(record);
    this.read = { text: text.slice(0, end), records };
    yield* records;
    yield* readRecords(text.slice(end));
  }

  /** Applies at once; resolves when stored. */
  append(record: ManifestRecord): Promise<void> {
    this.current.apply(record);
    for (const late of this.late) late.push(record);
    return this.storage.append(this.name, JSON.stringify(record));
  }

  /** Like `append`, for facts that can be found again: a failed write is only logged. Never throws. */
  async note(record: ManifestRecord): Promise<void> {
    try {
      await this.append(record);
    } catch (error) {
      this.log.warn(`${this.name}: a line "${record.type}" could not be written: ${messageOf(error)}`);
    }
  }

  /** Rewrites the file if most lines are dead. Never throws: the next run tries again. */
  async compact(): Promise<void> {
    if (!isMostlyDead(this.current)) return;
    try {
      await this.rewrite();
    } catch (error) {
      this.log.warn(`${this.name} could not be rewritten: ${messageOf(error)}`);
    }
  }

  async clear(): Promise<void> {
    this.current = new ManifestState();
    await this.storage.remove(this.name);
  }

  private async rewrite(): Promise<void> {
    await this.storage.rewrite(this.name, (text) => {
      const state = stateOf(text);
      if (!isMostlyDead(state)) return undefined;
      return [...state.snapshot()].map((record) => `${JSON.stringify(record)}\n`).join('');
    });
    await this.reload();
  }
}

function stateOf(text: string): ManifestState {
  const state = new ManifestState();
  for (const record of readRecords(text)) state.apply(record);
  return state;
}

function isMostlyDead({ documents, pendingUploads, runs, records }: ManifestState): boolean {
  // A snapshot lacks the lines of an open run.
  return runs.size === 0 && records > 2 * (documents.size + pendingUploads.size) + fewDeadLines;
}
