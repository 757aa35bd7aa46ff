import { countChanges } from '../../base/text/lineDiff.ts';
import { sha256 } from '../../base/sha256.ts';

export interface AppliedEdit {
  path: string;
  realPath: string;
  /** In conversations of 0.1.0 only. */
  before?: string | undefined;
  /** Hashes of the stored texts; a created file has neither this nor `before`, a removed one no `afterHash`. */
  beforeHash?: string | undefined;
  afterHash?: string | undefined;
  /** Lines added by all edits of this file up to this one. */
  added?: number | undefined;
  removed?: number | undefined;
  isInline?: true | undefined;
  /** Written in steps, so its result isn't known when it begins. */
  isUnfinished?: true | undefined;
}

export interface MadeEdit extends Pick<AppliedEdit, 'path' | 'realPath'> {
  before: string | undefined;
  after: string | undefined;
  folders?: readonly string[];
}

export interface TextSnapshots {
  put(text: string): Promise<string>;
  get(hash: string): Promise<string | undefined>;
}

export interface ChangedPaths {
  paths: readonly string[];
  more: number;
}

export interface EditRecorder {
  /** Called right before writing; resolves when the edit would survive a crash. */
  begun?(edit: AppliedEdit, folders: readonly string[]): Promise<void>;
  made(edit: AppliedEdit, folders: readonly string[]): void;
  foreign?(changed: ChangedPaths): void;
}

export class EditJournal {
  private readonly first = new Map<string, string | undefined>();

  constructor(
    private readonly snapshots: TextSnapshots,
    private readonly recorder: EditRecorder,
  ) {}

  /** Records files changed by a command: they are named but can't be undone. */
  recordForeign({ paths, more }: ChangedPaths): void {
    const foreign = paths.filter((path) => !this.first.has(path));
    if (foreign.length > 0) this.recorder.foreign?.({ paths: foreign, more });
  }

  /** Rejects if the old text can't be stored: an edit that can't be undone isn't made. */
  async prepare({ before }: Pick<MadeEdit, 'before'>): Promise<void> {
    if (before !== undefined) await this.snapshots.put(before);
  }

  async begin(edit: MadeEdit): Promise<void> {
    if (this.recorder.begun) await this.recorder.begun(await this.describe(edit), edit.folders ?? []);
  }

  async record(edit: MadeEdit): Promise<void> {
    this.recorder.made(await this.describe(edit), edit.folders ?? []);
  }

  private async describe({ path, realPath, before, after }: MadeEdit): Promise<AppliedEdit> {
    if (!this.first.has(realPath)) this.first.set(realPath, before);
    const counts = countChanges(this.first.get(realPath) ?? '', after ?? '');
    // Without the new text, the edit can be undone while the file is unchanged.
    if (after !== undefined) await this.snapshots.put(after).catch(() => undefined);
    return {
      path,
      realPath,
      ...(before !== undefined && { beforeHash: sha256(before) }),
      ...(after !== undefined && { afterHash: sha256(after) }),
      ...counts,
    };
  }
}
