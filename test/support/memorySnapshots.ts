import { EditJournal, type AppliedEdit, type TextSnapshots } from '../../src/tools/edits/editJournal.ts';
import { sha256 } from '../../src/base/sha256.ts';

export class MemorySnapshots implements TextSnapshots {
  readonly texts = new Map<string, string>();

  async put(text: string): Promise<string> {
    this.texts.set(sha256(text), text);
    return sha256(text);
  }

  async get(hash: string): Promise<string | undefined> {
    return this.texts.get(hash);
  }
}

export class MemoryJournal extends EditJournal {
  readonly edits: AppliedEdit[];
  readonly folders: string[];

  readonly snapshotsKept: TextSnapshots;

  constructor(snapshots: TextSnapshots = new MemorySnapshots()) {
    const edits: AppliedEdit[] = [];
    const folders: string[] = [];
    super(snapshots, {
      made(edit, made) {
        edits.push(edit);
        folders.push(...made);
      },
    });
    this.snapshotsKept = snapshots;
    this.edits = edits;
    this.folders = folders;
  }
}
