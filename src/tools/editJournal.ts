import { createHash } from 'node:crypto';
import { countChanges, diffLines } from '../base/lineDiff.ts';
import { messageOf } from '../base/messageOf.ts';

/** An edit that was made: enough to take it back, and to see whether somebody has been there since. */
export interface AppliedEdit {
  /** As models and people name it. */
  path: string;
  realPath: string;
  /** The text before; undefined for a file that was created. */
  before: string | undefined;
  /** Of the text after. */
  afterHash: string;
  /** Lines that the edits of this file up to this one have added and removed together. */
  added?: number | undefined;
  removed?: number | undefined;
}

/** An edit as it is made. */
export interface MadeEdit extends Pick<AppliedEdit, 'path' | 'realPath' | 'before'> {
  after: string;
  /** Absolute paths of the folders that were made for it, innermost first. */
  folders?: readonly string[];
}

/** A file whose edits stay, and why. */
export interface KeptEdit {
  path: string;
  /** `changed`: by somebody else, during the edits or since; `gone`; `failed`: see `why`. */
  reason: 'changed' | 'gone' | 'failed';
  why?: string;
}

export interface RevertOutcome {
  reverted: string[];
  kept: KeptEdit[];
}

/** What reverting needs of files. */
export interface RevertAccess {
  /** The text as it is now, unsaved changes included; undefined if there is none. Rejects when it may not be read. */
  read(realPath: string): Promise<string | undefined>;
  /** `after` undefined deletes. Rejects if the text is not `before` any more. */
  write(edit: { path: string; before: string; after: string | undefined }): Promise<unknown>;
  /** Removes a folder in which nothing is; rejects for any other. */
  removeFolder(path: string): Promise<void>;
}

/** The edits of one turn. `edits` and `folders` are plain data, so that they can be stored with the conversation. */
export class EditJournal {
  private readonly made: Set<string>;
  /** Called for each edit as it is made. */
  onRecord?: (edit: AppliedEdit, folders: readonly string[]) => void;

  constructor(
    private list: AppliedEdit[] = [],
    folders: readonly string[] = [],
  ) {
    this.made = new Set(folders);
  }

  get edits(): readonly AppliedEdit[] {
    return this.list;
  }

  /** The folders that were made for new files. */
  get folders(): readonly string[] {
    return [...this.made];
  }

  record({ path, realPath, before, after, folders = [] }: MadeEdit): void {
    const first = this.list.find((edit) => edit.realPath === realPath);
    const { added, removed } = countChanges(diffLines((first ? first.before : before) ?? '', after));
    const edit = { path, realPath, before, afterHash: hashText(after), added, removed };
    this.list.push(edit);
    for (const folder of folders) this.made.add(folder);
    this.onRecord?.(edit, folders);
  }

  /**
   * Puts every file back to what it was before the turn, unless somebody else changed it during the turn or since:
   * then it stays as it is, and the outcome says so. Folders made for new files go when nothing is left in them. What
   * was reverted is forgotten, the rest can be tried again.
   */
  async revert(access: RevertAccess): Promise<RevertOutcome> {
    const outcome: RevertOutcome = { reverted: [], kept: [] };
    for (const realPath of new Set(this.list.map((edit) => edit.realPath))) {
      const edits = this.list.filter((edit) => edit.realPath === realPath);
      const path = edits[0]?.path ?? realPath;
      const kept = await revertFile(realPath, edits, access).catch((error: unknown) => ({
        reason: 'failed' as const,
        why: messageOf(error),
      }));
      if (kept) outcome.kept.push({ path, ...kept });
      else {
        outcome.reverted.push(path);
        this.list = this.list.filter((edit) => edit.realPath !== realPath);
      }
    }
    if (outcome.reverted.length > 0) await this.removeFolders(access);
    return outcome;
  }

  private async removeFolders(access: RevertAccess): Promise<void> {
    // What lies in a folder has the longer path.
    for (const folder of [...this.made].toSorted((a, b) => b.length - a.length)) {
      try {
        await access.removeFolder(folder);
        this.made.delete(folder);
      } catch {
        // Something else is in it, or it is gone already.
      }
    }
  }
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function revertFile(
  realPath: string,
  edits: readonly AppliedEdit[],
  access: RevertAccess,
): Promise<Omit<KeptEdit, 'path'> | undefined> {
  const [first] = edits;
  const last = edits.at(-1);
  if (!first || !last) return undefined;
  const current = await access.read(realPath);
  if (current === undefined) return first.before === undefined ? undefined : { reason: 'gone' };
  if (hashText(current) !== last.afterHash) return { reason: 'changed' };
  // Somebody's own change between two of ours would be lost with them.
  const isChain = edits.every(
    ({ before }, index) => index === 0 || hashText(before ?? '') === edits[index - 1]?.afterHash,
  );
  if (!isChain) return { reason: 'changed' };
  await access.write({ path: realPath, before: current, after: first.before });
  return undefined;
}
