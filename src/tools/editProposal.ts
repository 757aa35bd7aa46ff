import * as l10n from '@vscode/l10n';
import { countChanges, diffLines } from '../base/lineDiff.ts';
import { redactSecrets } from '../base/secrets/redact.ts';
import { visibleLine } from '../base/visibleText.ts';
import { missingFolders } from './missingFolders.ts';
import type { GrantedFile } from './policy/verdict.ts';
import type { Proposal, ToolContext, ToolLocation, ToolResult } from './tool.ts';
import { granted, ToolFailure } from './toolFailure.ts';
import type { ToolDependencies } from './toolDependencies.ts';
import { takeLines } from './truncate.ts';

/** A file with its new text. `before` is undefined for a new file. */
export interface FileChange {
  file: GrantedFile;
  before: string | undefined;
  after: string;
}

/** Edits of one or several files, ready to be shown, asked about once, and made: all of them or none. */
export function createProposal(
  dependencies: ToolDependencies,
  changes: readonly FileChange[],
  { journal }: ToolContext,
): Proposal {
  // While the user reads, so that the edit need not wait for either.
  for (const { file, before } of changes) {
    if (before === undefined) continue;
    dependencies.workspace.edits.prepare(file.realPath);
    // It is kept again right before the edit, which is not made where that fails.
    journal?.prepare({ before }).catch(() => undefined);
  }
  const protection = changes.map(({ file }) => file.protection).find((each) => each !== undefined);
  return {
    files: changes.map(({ file, before, after }) => ({
      ...{ path: file.shown, before, after },
      ...countChanges(diffLines(before ?? '', after)),
    })),
    ...(protection && { protection }),
    apply: (context) => apply(dependencies, changes, context),
  };
}

async function apply(
  dependencies: ToolDependencies,
  changes: readonly FileChange[],
  context: ToolContext,
): Promise<ToolResult> {
  const { signal, journal } = context;
  await Promise.all([
    ...changes.map((change) => verify(dependencies, change)),
    ...(journal ? changes.map(({ before }) => journal.prepare({ before })) : []),
  ]);
  signal.throwIfAborted();
  const watch = dependencies.newErrors.begin(
    journal ?? context,
    changes.map(({ file }) => file),
  );
  let errors: string[];
  try {
    await makeAll(dependencies, changes, journal);
    errors = await watch.tell(signal);
  } finally {
    watch.dispose();
  }
  const said = changes.map(inWords);
  return {
    // First that it is made, or a model mistakes an error for a failed edit.
    content: [...said.flatMap(({ lines }) => lines), ...errors].join('\n'),
    isError: false,
    locations: said.map(({ location }) => location),
    changed: {
      added: said.reduce((sum, { changed }) => sum + changed.added, 0),
      removed: said.reduce((sum, { changed }) => sum + changed.removed, 0),
    },
  };
}

/** Between proposing and applying somebody thought about it: file, rules and links may be others by now. */
async function verify({ policy, texts }: ToolDependencies, { file, before }: FileChange): Promise<void> {
  const again = granted(await policy.recheck(file));
  if (again.protection && !file.protection) {
    throw new ToolFailure(
      `${file.shown} became a protected file in the meantime, so the edit was not made. Try again.`,
    );
  }
  if (before !== undefined && (await texts.readWhole(again)) !== before) {
    throw new ToolFailure(
      `${file.shown} was changed by somebody else in the meantime, so the edit was not made. Read it again.`,
      undefined,
      l10n.t(
        '{0} was changed since this edit was proposed, so nothing was written.',
        visibleLine(file.shown),
      ),
    );
  }
}

interface MadeChange extends FileChange {
  /** As it is then, which formatting on save may have changed. */
  text: string;
  folders: readonly string[];
}

/** When one cannot be made, those before it are taken back. */
async function makeAll(
  { workspace }: ToolDependencies,
  changes: readonly FileChange[],
  journal: ToolContext['journal'],
): Promise<void> {
  const made: MadeChange[] = [];
  const { access } = workspace.files;
  try {
    for (const change of changes) {
      const { file, before, after } = change;
      const folders = before === undefined ? await missingFolders(access, file.realPath) : [];
      await journal?.begin({ path: file.shown, realPath: file.realPath, before, after, folders });
      const text = (await workspace.edits.apply({ path: file.realPath, before, after })) ?? after;
      made.push({ ...change, text, folders });
    }
  } catch (error) {
    for (const { file, before, text } of made.toReversed()) {
      await workspace.edits.apply({ path: file.realPath, before: text, after: before });
    }
    throw error;
  }
  for (const { file, before, text, folders } of made) {
    await journal?.record({ path: file.shown, realPath: file.realPath, before, after: text, folders });
  }
}

function inWords({ file, before, after }: FileChange): {
  lines: string[];
  location: ToolLocation;
  changed: { added: number; removed: number };
} {
  const changed = countChanges(diffLines(before ?? '', after));
  const { added, removed } = changed;
  const stretch = changedStretch(before ?? '', after);
  const verb = before === undefined ? 'Created' : 'Edited';
  return {
    lines: [
      `${verb} ${file.shown}: ${added} ${added === 1 ? 'line' : 'lines'} added, ${removed} removed.`,
      ...(before === undefined ? [] : excerpt(after, stretch)),
    ],
    location: { path: file.shown, line: stretch.first, endLine: stretch.last },
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
