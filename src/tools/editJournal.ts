import { createHash } from 'node:crypto';

/** An edit that was made: enough to take it back, and to see whether somebody has been there since. */
export interface AppliedEdit {
  /** As models and people name it. */
  path: string;
  realPath: string;
  /** The text before; undefined for a file that was created. */
  before: string | undefined;
  /** Of the text after. */
  afterHash: string;
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
}

/** The edits of one turn. `edits` is plain data, so that they can be kept with the conversation. */
export class EditJournal {
  constructor(private list: AppliedEdit[] = []) {}

  get edits(): readonly AppliedEdit[] {
    return this.list;
  }

  record(edit: AppliedEdit): void {
    this.list.push(edit);
  }

  /**
   * Puts every file back to what it was before the turn, unless somebody else changed it during the turn or since:
   * then it stays as it is, and the outcome says so. What was reverted is forgotten, the rest can be tried again.
   */
  async revert(access: RevertAccess): Promise<RevertOutcome> {
    const outcome: RevertOutcome = { reverted: [], kept: [] };
    for (const realPath of new Set(this.list.map((edit) => edit.realPath))) {
      const edits = this.list.filter((edit) => edit.realPath === realPath);
      const path = edits[0]?.path ?? realPath;
      const kept = await revertFile(realPath, edits, access).catch((error: unknown) => ({
        reason: 'failed' as const,
        why: error instanceof Error ? error.message : String(error),
      }));
      if (kept) outcome.kept.push({ path, ...kept });
      else {
        outcome.reverted.push(path);
        this.list = this.list.filter((edit) => edit.realPath !== realPath);
      }
    }
    return outcome;
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
