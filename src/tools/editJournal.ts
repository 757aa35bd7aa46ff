import { createHash } from 'node:crypto';
import type { ChangedPaths } from './tool.ts';
import { countChanges, diffLines } from '../base/lineDiff.ts';

/** An edit that was made: enough to review it, and to take it back. */
export interface AppliedEdit {
  /** As models and people name it. */
  path: string;
  realPath: string;
  /** The text before, in conversations of 0.1.0. */
  before?: string | undefined;
  /** Of the text before, which is kept apart. Without it and `before` the file was created. */
  beforeHash?: string | undefined;
  /** Of the text after; absent where the file was removed. */
  afterHash?: string | undefined;
  /** Lines that the edits of this file up to this one have added and removed together. */
  added?: number | undefined;
  removed?: number | undefined;
  /** It was made in the editor, and the model of the conversation knows nothing of it. */
  isInline?: true | undefined;
}

/** An edit as it is made. */
export interface MadeEdit extends Pick<AppliedEdit, 'path' | 'realPath'> {
  /** Undefined for a file that was created. */
  before: string | undefined;
  /** Undefined for a file that was removed. */
  after: string | undefined;
  /** Absolute paths of the folders that were made for it, innermost first. */
  folders?: readonly string[];
}

/** Texts of files, each known by its hash. */
export interface TextSnapshots {
  /** Keeps a text; resolves with its hash. */
  put(text: string): Promise<string>;
  /** Undefined if it is not kept, or not any more. */
  get(hash: string): Promise<string | undefined>;
}

/** Who is told of the edits of a turn. */
export interface EditRecorder {
  /** It is about to be made. Resolves when that would be known after a crash. */
  begun?(edit: AppliedEdit, folders: readonly string[]): Promise<void>;
  made(edit: AppliedEdit, folders: readonly string[]): void;
  foreign?(changed: ChangedPaths): void;
}

/** Writes down the edits of one turn as they are made. */
export class EditJournal {
  /** Real path → the text before the first edit. */
  private readonly first = new Map<string, string | undefined>();

  constructor(
    private readonly snapshots: TextSnapshots,
    private readonly recorder: EditRecorder,
  ) {}

  /** Files that changed while a command ran: they are known by name, and cannot be taken back. */
  recordForeign({ paths, more }: ChangedPaths): void {
    // What is edited here was seen, too.
    const foreign = paths.filter((path) => !this.first.has(path));
    if (foreign.length > 0) this.recorder.foreign?.({ paths: foreign, more });
  }

  /** To be called before the edit is made: one that could not be taken back is better not made. */
  async prepare({ before }: Pick<MadeEdit, 'before'>): Promise<void> {
    if (before !== undefined) await this.snapshots.put(before);
  }

  /** To be called right before the file is written: who is killed then can still take it back. */
  async begin(edit: MadeEdit): Promise<void> {
    if (this.recorder.begun) await this.recorder.begun(await this.describe(edit), edit.folders ?? []);
  }

  async record(edit: MadeEdit): Promise<void> {
    this.recorder.made(await this.describe(edit), edit.folders ?? []);
  }

  private async describe({ path, realPath, before, after }: MadeEdit): Promise<AppliedEdit> {
    if (!this.first.has(realPath)) this.first.set(realPath, before);
    const counts = countChanges(diffLines(this.first.get(realPath) ?? '', after ?? ''));
    // Without the text after, the edit can still be taken back while the file is as it was left.
    if (after !== undefined) await this.snapshots.put(after).catch(() => undefined);
    return {
      ...{ path, realPath },
      ...(before !== undefined && { beforeHash: hashText(before) }),
      ...(after !== undefined && { afterHash: hashText(after) }),
      ...counts,
    };
  }
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
