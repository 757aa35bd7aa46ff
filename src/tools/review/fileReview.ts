import { changesBetween, compose, isSameLine, splitLines, type AuthoredChange } from './lineHistory.ts';

export interface Hunk {
  /** 0-based; `to` is exclusive. */
  from: number;
  to: number;
  before: string;
  now: string;
  /** Others changed it since, so undoing would lose their lines. */
  isEdited: boolean;
}

export interface OpenHunks {
  hunks: { from: number; to: number; before: string; isEdited?: true | undefined }[];
  isNew?: true | undefined;
}

interface FileText {
  text: string | undefined;
  lines: readonly string[];
}

/** A file from before our edits to now; decisions on tools' hunks never affect lines of others. Immutable. */
export class FileReview {
  private constructor(
    private readonly base: FileText,
    private readonly current: FileText,
    private readonly changes: readonly AuthoredChange[],
  ) {}

  static of(before: string | undefined): FileReview {
    const base = toFileText(before);
    return new FileReview(base, base, []);
  }

  /** @param text the file's text when the hunks were stored */
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

  get before(): string | undefined {
    return this.decide(this.hunks, 'undo').text;
  }

  get text(): string | undefined {
    return this.current.text;
  }

  get hunks(): Hunk[] {
    const { base, current } = this;
    const hunks = this.changes
      .filter(({ by }) => by !== 'user')
      .map(({ from, to, newFrom, newTo, by }) => ({
        from: newFrom,
        to: newTo,
        isEdited: by === 'both',
        before: base.lines.slice(from, to).join(''),
        now: current.lines.slice(newFrom, newTo).join(''),
      }));
    return hunks.length === 0 && this.isEmptyFile
      ? [{ from: 0, to: 0, before: '', now: '', isEdited: false }]
      : hunks;
  }

  advance(text: string | undefined, by: 'tool' | 'user'): FileReview {
    const next = toFileText(text);
    const changes = compose(this.changes, changesBetween(this.current.lines, next.lines, by));
    const tight = changes.flatMap((change) => tighten(change, this.base.lines, next.lines));
    return new FileReview(this.base, next, tight);
  }

  keep(chosen: readonly Hunk[]): FileReview {
    return this.decide(chosen, 'keep');
  }

  /** Hunks that others changed since stay. */
  undo(chosen: readonly Hunk[]): FileReview {
    return this.decide(
      chosen.filter(({ isEdited }) => !isEdited),
      'undo',
    );
  }

  open(): OpenHunks {
    return {
      hunks: this.hunks.map(({ from, to, before, isEdited }) => ({
        from,
        to,
        before,
        ...(isEdited && { isEdited }),
      })),
      ...(this.base.text === undefined && { isNew: true as const }),
    };
  }

  /** An empty file was created or removed, which no line shows. */
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
    // A kept new file existed; an undone one never did.
    const noBase = isGone(decision === 'keep' ? current : base, before);
    const noText = isGone(decision === 'keep' ? current : base, now);
    return new FileReview(toFile(before, noBase), toFile(now, noText), changes);
  }
}

function tighten(
  change: AuthoredChange,
  base: readonly string[],
  lines: readonly string[],
): AuthoredChange[] {
  const { from, to, newFrom, newTo, by } = change;
  const [old, own] = [base.slice(from, to), lines.slice(newFrom, newTo)];
  if (by === 'tool') {
    return changesBetween(old, own, by).map((part) => ({
      from: from + part.from,
      to: from + part.to,
      by,
      newFrom: newFrom + part.newFrom,
      newTo: newFrom + part.newTo,
    }));
  }
  const isSame = old.length === own.length && old.every((line, index) => isSameLine(line, own[index]));
  return isSame ? [] : [change];
}

/** Two hunks without lines can share a place, so `isEdited` distinguishes them. */
function placeOf({ from, to, isEdited }: Pick<Hunk, 'from' | 'to' | 'isEdited'>): string {
  return `${from}:${to}:${isEdited}`;
}

function toFileText(text: string | undefined): FileText {
  return { text, lines: splitLines(text ?? '') };
}

function toFile(lines: readonly string[], isMissing: boolean): FileText {
  if (isMissing) return { text: undefined, lines: [] };
  const end = lines.find((line) => /[\r\n]$/.test(line))?.match(/(?:\r\n|\n|\r)$/)?.[0] ?? '\n';
  const whole = lines.map((line, index) =>
    index < lines.length - 1 && !/[\r\n]$/.test(line) ? line + end : line,
  );
  return { text: whole.join(''), lines: whole };
}
