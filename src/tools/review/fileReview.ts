import { changesBetween, compose, isSameLine, splitLines, type AuthoredChange } from './lineHistory.ts';

/** A stretch of a file that tools changed, to be kept or undone. */
export interface Hunk {
  /** Lines of the file as it is now, counted from 0; `to` is not included. */
  from: number;
  to: number;
  /** What stood there before, and what stands there now. */
  before: string;
  now: string;
  /** Somebody else changed it since, so that undoing it would take their lines. */
  isEdited: boolean;
}

/** What is still to be reviewed of a file, as plain data: the hunks of the text that the file was when it was kept. */
export interface OpenHunks {
  hunks: { from: number; to: number; before: string; isEdited?: true | undefined }[];
  /** The file did not exist before. */
  isNew?: true | undefined;
}

interface FileText {
  /** Undefined: there is no such file. */
  text: string | undefined;
  lines: readonly string[];
}

/**
 * One file from the state before our edits to the state now, line by line. What tools changed is a hunk, what others
 * changed is theirs: no decision on a hunk touches it. Immutable.
 */
export class FileReview {
  private constructor(
    private readonly base: FileText,
    private readonly current: FileText,
    private readonly changes: readonly AuthoredChange[],
  ) {}

  /** @param before undefined for a file that does not exist */
  static of(before: string | undefined): FileReview {
    const base = toFileText(before);
    return new FileReview(base, base, []);
  }

  /** @param text of the file when the hunks were written down */
  static resume({ hunks, isNew }: OpenHunks, text: string | undefined): FileReview {
    const current = toFileText(text);
    const changes: AuthoredChange[] = [];
    const base: string[] = [];
    let at = 0;
    for (const { from: newFrom, to: newTo, before, isEdited } of hunks) {
      base.push(...current.lines.slice(at, newFrom));
      const from = base.length;
      base.push(...splitLines(before));
      changes.push({ from, to: base.length, newFrom, newTo, by: isEdited ? 'both' : 'tool' });
      at = newTo;
    }
    base.push(...current.lines.slice(at));
    const original = isNew ? { text: undefined, lines: [] } : { text: base.join(''), lines: base };
    return new FileReview(original, current, changes);
  }

  /** The text with all that is others' and nothing of what is still to be reviewed; undefined if there was no file. */
  get before(): string | undefined {
    return this.decide(this.hunks, 'undo').text;
  }

  /** The text as it is now; undefined if there is no file. */
  get text(): string | undefined {
    return this.current.text;
  }

  get hunks(): Hunk[] {
    const { base, current } = this;
    const hunks = this.changes
      .filter(({ by }) => by !== 'user')
      .map(({ from, to, newFrom, newTo, by }) => ({
        ...{ from: newFrom, to: newTo, isEdited: by === 'both' },
        before: base.lines.slice(from, to).join(''),
        now: current.lines.slice(newFrom, newTo).join(''),
      }));
    return hunks.length === 0 && this.isEmptyFile
      ? [{ from: 0, to: 0, before: '', now: '', isEdited: false }]
      : hunks;
  }

  /** The file has this text next, by our tools or by somebody else. */
  advance(text: string | undefined, by: 'tool' | 'user'): FileReview {
    const next = toFileText(text);
    const changes = compose(this.changes, changesBetween(this.current.lines, next.lines, by));
    const tight = changes.flatMap((change) => tighten(change, this.base.lines, next.lines));
    return new FileReview(this.base, next, tight);
  }

  /** As it is when these hunks need no review any more. */
  keep(chosen: readonly Hunk[]): FileReview {
    return this.decide(chosen, 'keep');
  }

  /** As it is when these hunks are put back; those that somebody else changed since stay. */
  undo(chosen: readonly Hunk[]): FileReview {
    return this.decide(
      chosen.filter(({ isEdited }) => !isEdited),
      'undo',
    );
  }

  /** What is still to be reviewed, to be resumed with the text. */
  open(): OpenHunks {
    return {
      hunks: this.hunks.map(({ from, to, before, isEdited }) => ({
        ...{ from, to, before },
        ...(isEdited && { isEdited }),
      })),
      ...(this.base.text === undefined && { isNew: true as const }),
    };
  }

  /** A file without a line was made or removed, which no line shows. */
  private get isEmptyFile(): boolean {
    const { base, current } = this;
    const isEmpty = base.lines.length === 0 && current.lines.length === 0;
    return isEmpty && (base.text === undefined) !== (current.text === undefined);
  }

  private decide(chosen: readonly Hunk[], decision: 'keep' | 'undo'): FileReview {
    if (chosen.length === 0) return this;
    const { base, current, isEmptyFile } = this;
    if (isEmptyFile) {
      const both = decision === 'keep' ? current : base;
      return new FileReview(both, both, []);
    }
    const decided = new Set(chosen.map(placeOf));
    const changes: AuthoredChange[] = [];
    const before: string[] = [];
    const now: string[] = [];
    let [at, newAt] = [0, 0];
    for (const { from, to, newFrom, newTo, by } of this.changes) {
      before.push(...base.lines.slice(at, from));
      now.push(...current.lines.slice(newAt, newFrom));
      [at, newAt] = [to, newTo];
      const [old, own] = [base.lines.slice(from, to), current.lines.slice(newFrom, newTo)];
      if (by !== 'user' && decided.has(placeOf({ from: newFrom, to: newTo, isEdited: by === 'both' }))) {
        const both = decision === 'keep' ? own : old;
        before.push(...both);
        now.push(...both);
        continue;
      }
      const place = { from: before.length, newFrom: now.length };
      before.push(...old);
      now.push(...own);
      changes.push({ ...place, to: before.length, newTo: now.length, by });
    }
    before.push(...base.lines.slice(at));
    now.push(...current.lines.slice(newAt));
    const isGone = (file: FileText, lines: string[]) => lines.length === 0 && file.text === undefined;
    // Kept, a new file is one that was there; undone, one that never was.
    const noBase = isGone(decision === 'keep' ? current : base, before);
    const noText = isGone(decision === 'keep' ? current : base, now);
    return new FileReview(toFile(before, noBase), toFile(now, noText), changes);
  }
}

/** Changes that give back what was there are none, and of what tools did over what they did before only the sum counts. */
function tighten(
  change: AuthoredChange,
  base: readonly string[],
  lines: readonly string[],
): AuthoredChange[] {
  const { from, to, newFrom, newTo, by } = change;
  const [old, own] = [base.slice(from, to), lines.slice(newFrom, newTo)];
  if (by === 'tool') {
    return changesBetween(old, own, by).map((part) => ({
      ...{ from: from + part.from, to: from + part.to, by },
      ...{ newFrom: newFrom + part.newFrom, newTo: newFrom + part.newTo },
    }));
  }
  const isSame = old.length === own.length && old.every((line, index) => isSameLine(line, own[index]));
  return isSame ? [] : [change];
}

/** Where the lines of two hunks are gone, one may stand at the same place as the other, which somebody else changed. */
function placeOf({ from, to, isEdited }: Pick<Hunk, 'from' | 'to' | 'isEdited'>): string {
  return `${from}:${to}:${isEdited}`;
}

function toFileText(text: string | undefined): FileText {
  return { text, lines: splitLines(text ?? '') };
}

/** A line that had no end because it was the last one gets one where others follow. */
function toFile(lines: readonly string[], isMissing: boolean): FileText {
  if (isMissing) return { text: undefined, lines: [] };
  const end = lines.find((line) => /[\r\n]$/.test(line))?.match(/(?:\r\n|\n|\r)$/)?.[0] ?? '\n';
  const whole = lines.map((line, index) =>
    index < lines.length - 1 && !/[\r\n]$/.test(line) ? line + end : line,
  );
  return { text: whole.join(''), lines: whole };
}
