import { countChanges, diffLines } from '../base/lineDiff.ts';
import { redactSecrets } from '../base/secrets/redact.ts';
import { visibleLine } from '../base/visibleText.ts';
import { missingFolders } from './missingFolders.ts';
import type { GrantedFile } from './policy/verdict.ts';
import type { Proposal, ToolContext, ToolResult } from './tool.ts';
import { granted, ToolFailure } from './toolFailure.ts';
import type { ToolDependencies } from './toolDependencies.ts';
import { takeLines } from './truncate.ts';

/** An edit ready to be shown, asked about, and made. `before` is undefined for a new file. */
export function createProposal(
  needs: ToolDependencies,
  file: GrantedFile,
  before: string | undefined,
  after: string,
): Proposal {
  const changed = countChanges(diffLines(before ?? '', after));
  return {
    path: file.shown,
    before,
    after,
    ...changed,
    ...(file.protection && { protection: file.protection }),
    apply: (context) => apply(needs, file, { before, after, changed }, context),
  };
}

interface Edit {
  before: string | undefined;
  after: string;
  changed: { added: number; removed: number };
}

async function apply(
  { workspace, policy, texts }: ToolDependencies,
  file: GrantedFile,
  { before, after, changed }: Edit,
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
  await journal?.prepare({ before });
  const folders = before === undefined ? await missingFolders(workspace.files.access, file.realPath) : [];
  const text = (await workspace.edits.apply({ path: file.realPath, before, after })) ?? after;
  await journal?.record({ path: file.shown, realPath: file.realPath, before, after: text, folders });
  const { added, removed } = changed;
  const stretch = changedStretch(before ?? '', after);
  const verb = before === undefined ? 'Created' : 'Edited';
  return {
    content: [
      `${verb} ${file.shown}: ${added} ${added === 1 ? 'line' : 'lines'} added, ${removed} removed.`,
      ...(before === undefined ? [] : excerpt(after, stretch)),
    ].join('\n'),
    isError: false,
    locations: [{ path: file.shown, line: stretch.first, endLine: stretch.last }],
    changed,
  };
}

interface Stretch {
  /** 1-based, in the new text. */
  first: number;
  last: number;
}

/** The one stretch of lines outside of which nothing differs. */
function changedStretch(before: string, after: string): Stretch {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (end < shorter && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return { first: start + 1, last: Math.max(start + 1, now.length - end) };
}

/** The changed lines with their numbers as they are now, so that the model need not read them again. */
function excerpt(after: string, { first, last }: Stretch): string[] {
  const lines = redactSecrets(after).split(/\r?\n/);
  const from = Math.max(1, first - 2);
  const shown = lines.slice(from - 1, last + 2).map((line, index) => `${from + index}\t${visibleLine(line)}`);
  const { lines: taken, left } = takeLines(shown, { maxLines: 40, maxBytes: 4000 });
  return ['It now reads:', ...taken, ...(left > 0 ? ['[…]'] : [])];
}
