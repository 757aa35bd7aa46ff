import {
  EditJournal,
  hashText,
  type AppliedEdit,
  type TextSnapshots,
} from '../../src/tools/edits/editJournal.ts';

export class MemorySnapshots implements TextSnapshots {
  readonly texts = new Map<string, string>();

  async put(text: string): Promise<string> {
    this.texts.set(hashText(text), text);
    return hashText(text);
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
