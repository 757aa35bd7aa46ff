import type { AppliedEdit } from '../../tools/edits/editJournal.ts';

export interface CommandChanges {
  paths: string[];
  more: number;
}

interface Mark {
  edits: number;
  commandChanges: number;
}

export class FileHistory {
  private readonly edits: AppliedEdit[] = [];
  private readonly folders: string[] = [];
  private readonly commandChanges: CommandChanges[] = [];
  private readonly marks = new Map<string, Mark>();

  addEdits(edits: readonly AppliedEdit[], folders: readonly string[] = []): void {
    this.edits.push(...edits);
    this.folders.push(...folders);
  }

  addCommandChanges(changes: CommandChanges): void {
    this.commandChanges.push(changes);
  }

  mark(id: string): void {
    this.marks.set(id, { edits: this.edits.length, commandChanges: this.commandChanges.length });
  }

  isMarked(id: string): boolean {
    return this.marks.has(id);
  }

  editsSince(id: string): readonly AppliedEdit[] | undefined {
    const mark = this.marks.get(id);
    return mark && this.edits.slice(mark.edits);
  }

  commandChangesSince(id: string): CommandChanges {
    const since = this.commandChanges.slice(this.marks.get(id)?.commandChanges ?? 0);
    const paths = [...new Set(since.flatMap((changed) => changed.paths))];
    return { paths, more: since.reduce((sum, { more }) => sum + more, 0) };
  }

  get foldersMade(): readonly string[] {
    return this.folders;
  }
}
