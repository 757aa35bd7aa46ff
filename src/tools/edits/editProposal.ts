import { countChanges, countLines, differenceOf, startOfLinesBefore } from '../../base/text/lineDiff.ts';
import { redactSecrets } from '../../base/secrets/redactSecrets.ts';
import { visibleLine } from '../../base/text/visibleText.ts';
import { CheckedChange, type FileChange } from './checkedChange.ts';
import type { MadeEdit } from './editJournal.ts';
import type { Proposal, ToolContext, ToolLocation, ToolResult } from '../tool.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { takeLines } from '../files/truncate.ts';

export interface EditedFile extends FileChange {
  after: string;
}

export function createProposal(
  dependencies: ToolDependencies,
  changes: readonly EditedFile[],
  { journal }: ToolContext,
): Proposal {
  // Done while the user reads, so that the edit doesn't wait for it.
  for (const { file, before } of changes) {
    if (before === undefined) continue;
    dependencies.workspace.edits.prepare(file.realPath);
    // Stored again before the edit, which fails if that fails.
    journal?.prepare({ before }).catch(() => undefined);
  }
  const protection = changes.map(({ file }) => file.protection).find((each) => each !== undefined);
  return {
    files: changes.map(({ file, before, after }) => ({
      path: file.shown,
      before,
      after,
      ...countChanges(before ?? '', after),
    })),
    ...(protection && { protection }),
    apply: (context) => apply(dependencies, changes, context),
  };
}

async function apply(
  dependencies: ToolDependencies,
  changes: readonly EditedFile[],
  context: ToolContext,
): Promise<ToolResult> {
  const { signal, journal } = context;
  const [checked] = await Promise.all([
    Promise.all(changes.map((change) => CheckedChange.check(dependencies, change))),
    ...(journal ? changes.map(({ before }) => journal.prepare({ before })) : []),
  ]);
  signal.throwIfAborted();
  const watch = dependencies.newErrors.begin(
    journal ?? context,
    changes.map(({ file }) => file),
  );
  let errors: string[];
  try {
    await makeAll(checked, changes, journal);
    context.onWorked?.();
    errors = await watch.tell(signal);
  } finally {
    watch.dispose();
  }
  const said = changes.map(inWords);
  return {
    // Success comes first, or models mistake new errors for a failed edit.
    content: [...said.flatMap(({ lines }) => lines), ...errors].join('\n'),
    isError: false,
    locations: said.map(({ location }) => location),
    changed: {
      added: said.reduce((sum, { changed }) => sum + changed.added, 0),
      removed: said.reduce((sum, { changed }) => sum + changed.removed, 0),
    },
  };
}

interface MadeChange {
  checked: CheckedChange;
  edit: MadeEdit;
}

async function makeAll(
  checked: readonly CheckedChange[],
  changes: readonly EditedFile[],
  journal: ToolContext['journal'],
): Promise<void> {
  const made: MadeChange[] = [];
  try {
    for (const [index, { file, before, after }] of changes.entries()) {
      const each = checked[index]!;
      const edit = { path: file.shown, realPath: file.realPath, before };
      const { text, folders } = await each.write(async (needed) =>
        journal?.begin({ ...edit, after, folders: needed }),
      );
      made.push({ checked: each, edit: { ...edit, after: text, folders } });
    }
  } catch (error) {
    for (const each of made.toReversed()) await each.checked.rollback(each.edit.after);
    throw error;
  }
  for (const { edit } of made) await journal?.record(edit);
}

function inWords({ file, before, after }: EditedFile): {
  lines: string[];
  location: ToolLocation;
  changed: { added: number; removed: number };
} {
  const changed = countChanges(before ?? '', after);
  const { added, removed } = changed;
  const { start, newEnd } = differenceOf(before ?? '', after);
  const first = countLines(after.slice(0, start)) + 1;
  const last = first + Math.max(1, countLines(after.slice(start, newEnd))) - 1;
  const verb = before === undefined ? 'Created' : 'Edited';
  return {
    lines: [
      `${verb} ${file.shown}: ${added} ${added === 1 ? 'line' : 'lines'} added, ${removed} removed.`,
      ...(before === undefined ? [] : excerpt(after, start, first, last)),
    ],
    location: { path: file.shown, line: first, endLine: last },
    changed,
  };
}

const longestExcerpt = 20_000;

/** The changed lines with their new numbers, so that the model needn't read them again. */
function excerpt(after: string, start: number, first: number, last: number): string[] {
  const from = Math.max(1, first - 2);
  const at = startOfLinesBefore(after, start, first - from);
  const shown = redactSecrets(after, at, Math.min(after.length, at + longestExcerpt))
    .split(/\r?\n/)
    .slice(0, last + 3 - from)
    .map((line, index) => `${from + index}\t${visibleLine(line)}`);
  const { lines: taken, left } = takeLines(shown, { maxLines: 40, maxBytes: 4000 });
  return ['It now reads:', ...taken, ...(left > 0 ? ['[…]'] : [])];
}
