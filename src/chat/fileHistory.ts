import type { AppliedEdit } from '../tools/editJournal.ts';

/** Files that changed while commands ran; `more` were not named. */
export interface CommandChanges {
  paths: string[];
  more: number;
}

/** What was known when something was said. */
interface Mark {
  edits: number;
  commandChanges: number;
}

/** What models did to files in a conversation, on every branch, with marks to tell what came after something was said. */
export class FileHistory {
  /** In the order in which they were made. */
  private readonly edits: AppliedEdit[] = [];
  private readonly folders: string[] = [];
  private readonly commandChanges: CommandChanges[] = [];
  /** By message, answer and restoration. */
  private readonly marks = new Map<string, Mark>();

  addEdits(edits: readonly AppliedEdit[], folders: readonly string[] = []): void {
    this.edits.push(...edits);
    this.folders.push(...folders);
  }

  addCommandChanges(changes: CommandChanges): void {
    this.commandChanges.push(changes);
  }

  /** A message, an answer or a restoration comes now. */
  mark(id: string): void {
    this.marks.set(id, { edits: this.edits.length, commandChanges: this.commandChanges.length });
  }

  isMarked(id: string): boolean {
    return this.marks.has(id);
  }

  /** All that tools did to files since a mark; undefined if there is none. */
  editsSince(id: string): readonly AppliedEdit[] | undefined {
    const mark = this.marks.get(id);
    return mark && this.edits.slice(mark.edits);
  }

  /** Files that changed while commands ran since a mark. */
  commandChangesSince(id: string): CommandChanges {
    const since = this.commandChanges.slice(this.marks.get(id)?.commandChanges ?? 0);
    const paths = [...new Set(since.flatMap((changed) => changed.paths))];
    return { paths, more: since.reduce((sum, { more }) => sum + more, 0) };
  }

  /** Folders that were made for files. */
  get foldersMade(): readonly string[] {
    return this.folders;
  }
}
