import { redactSecrets } from '../base/secrets/redact.ts';
import { hashText } from './editJournal.ts';
import type { GrantedFile } from './policy/verdict.ts';
import type { Proposal, ToolContext, ToolResult } from './tool.ts';
import { granted, ToolFailure } from './toolFailure.ts';
import type { ToolNeeds } from './toolNeeds.ts';
import { takeLines } from './truncate.ts';

/** An edit ready to be shown, asked about, and made. `before` is undefined for a new file. */
export function createProposal(
  needs: ToolNeeds,
  file: GrantedFile,
  before: string | undefined,
  after: string,
): Proposal {
  const change = changedLines(before ?? '', after);
  const counts = { added: change.added, removed: before === undefined ? 0 : change.removed };
  return {
    path: file.shown,
    before,
    after,
    ...counts,
    ...(file.protection && { protection: file.protection }),
    apply: (context) => apply(needs, file, { before, after, change }, context),
  };
}

async function apply(
  { workspace, policy, texts }: ToolNeeds,
  file: GrantedFile,
  { before, after, change }: { before: string | undefined; after: string; change: ChangedLines },
  { signal, journal }: ToolContext,
): Promise<ToolResult> {
  // Between proposing and applying somebody thought about it: file, rules and links may be others by now.
  const again = granted(await policy.recheck(file));
  if (again.protection && !file.protection) {
    throw new ToolFailure(
      `${file.shown} became a protected file in the meantime, so the edit was not made. Try again.`,
    );
  }
  if (before !== undefined && (await texts.readWhole(again)) !== before) {
    throw new ToolFailure(
      `${file.shown} was changed by somebody else in the meantime, so the edit was not made. Read it again.`,
    );
  }
  signal.throwIfAborted();
  const text = (await workspace.edits.apply({ path: file.realPath, before, after })) ?? after;
  journal?.record({ path: file.shown, realPath: file.realPath, before, afterHash: hashText(text) });
  const verb = before === undefined ? 'Created' : 'Edited';
  return {
    content: [
      `${verb} ${file.shown}: ${change.added} ${change.added === 1 ? 'line' : 'lines'} added, ${before === undefined ? 0 : change.removed} removed.`,
      ...(before === undefined ? [] : excerpt(after, change)),
    ].join('\n'),
    isError: false,
    locations: [{ path: file.shown, line: change.first, endLine: change.last }],
  };
}

interface ChangedLines {
  /** 1-based, in the new text. */
  first: number;
  last: number;
  added: number;
  removed: number;
}

/** The one stretch of lines outside of which nothing differs. */
function changedLines(before: string, after: string): ChangedLines {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (end < shorter && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const added = now.length - end - start;
  return {
    first: start + 1,
    last: Math.max(start + 1, start + added),
    added,
    removed: old.length - end - start,
  };
}

/** The changed lines with their numbers as they are now, so that the model need not read them again. */
function excerpt(after: string, { first, last }: ChangedLines): string[] {
  const lines = redactSecrets(after).split(/\r?\n/);
  const from = Math.max(1, first - 2);
  const shown = lines.slice(from - 1, last + 2).map((line, index) => `${from + index}\t${line}`);
  const { lines: taken, left } = takeLines(shown, { maxLines: 40, maxBytes: 4000 });
  return ['It now reads:', ...taken, ...(left > 0 ? ['[…]'] : [])];
}
