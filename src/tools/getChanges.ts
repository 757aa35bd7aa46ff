import { frame } from '../base/frame.ts';
import { redactSecrets } from '../base/secrets/redact.ts';
import { visibleLine } from '../base/visibleText.ts';
import * as z from 'zod/mini';
import { relativeInside } from './fileAccess.ts';
import type { PolicyRun } from './policy/policyRun.ts';
import { defineTool, type Tool } from './tool.ts';
import { granted, ToolFailure } from './toolFailure.ts';
import type { ToolDependencies } from './toolDependencies.ts';
import { cutLine, takeLines } from './truncate.ts';
import { WithheldCount } from './withheldCount.ts';
import type { FileChange } from './workspace.ts';

/** `get_changes`: what differs from the last commit. */
export function getChangesTool({ workspace, policy }: ToolDependencies): Tool {
  const { sourceControl } = workspace;
  return defineTool({
    name: 'get_changes',
    description:
      'Gives the changes since the last git commit, staged and not: a list of changed files, and their diffs. New files ' +
      'that git does not know are only listed.',
    input: z.object({
      path: z.optional(z.string().check(z.describe('A file or folder. Default: all changes.'))),
      withDiff: z.optional(z.boolean().check(z.describe('Default: true.'))),
    }),
    risk: 'read',
    async run({ path, withDiff = true }, { signal, keepsSecrets = false }) {
      const run = policy.start();
      const within = path === undefined ? undefined : await placeOf(path);
      const all = await sourceControl.changes(signal);
      if (!all)
        throw new ToolFailure('There is no git repository here, so changes are not known. Go on without.');
      const withheld = new WithheldCount();
      const shown: ShownChange[] = [];
      for (const change of all) {
        if (within !== undefined && relativeInside(within, change.path, run.ignoreCase) === undefined)
          continue;
        const line = await toShownChange(change, run, withheld);
        if (line) shown.push(line);
      }
      // What is staged and was changed again since is listed twice.
      const differing = shown.filter(({ change }) => withDiff && change.state !== 'untracked');
      const diffs: string[] = [];
      for (const file of new Set(differing.map(({ change }) => change.path))) {
        diffs.push(...(await diffLines(file, keepsSecrets, signal)));
      }
      const { lines, left } = takeLines(diffs);
      const content = [
        ...(shown.length > 0
          ? shown.map(({ facts, place }) => `${facts}: ${place}`)
          : ['Nothing is changed since the last commit.']),
        ...(lines.length > 0 ? [frame({ kind: 'diff', facts: {}, body: lines.join('\n') })] : []),
        ...(left > 0 ? [`[${left} more lines of diff are not shown. Ask for one file by its path.]`] : []),
        ...withheld.note('changed files'),
      ];
      return {
        content: content.join('\n'),
        isError: false,
        locations: shown.flatMap(({ change, place }) =>
          change.state === 'deleted' ? [] : [{ path: place }],
        ),
        count: new Set(shown.map(({ change }) => change.path)).size,
        withheld: withheld.list(),
      };

      async function placeOf(given: string): Promise<string> {
        const asFolder = await run.check(given, 'list');
        if (asFolder.isAllowed) return asFolder.realPath;
        const asFile = await run.check(given, asFolder.reason === 'not-found' ? 'create' : 'read');
        return granted(asFile).realPath;
      }
    },
  });

  async function diffLines(path: string, keepsSecrets: boolean, signal: AbortSignal): Promise<string[]> {
    const raw = await sourceControl.diff(path, signal);
    const diff = keepsSecrets ? raw : redactSecrets(raw);
    return diff
      .trimEnd()
      .split(/\r?\n/)
      .map((line) => cutLine(visibleLine(line)));
  }
}

/** A change that a model may know of. */
interface ShownChange {
  change: FileChange;
  /** Its state, where it was, and whether it is staged. */
  facts: string;
  /** Its path, as models are told it. */
  place: string;
}

/** Undefined where the file policy withholds the file, or what it was renamed from. */
async function toShownChange(
  change: FileChange,
  run: PolicyRun,
  withheld: WithheldCount,
): Promise<ShownChange | undefined> {
  // A deleted file has no place any more, but its old text falls under the same rules.
  const verdict = await run.check(change.path, change.state === 'deleted' ? 'create' : 'read');
  const from = change.from === undefined ? undefined : await run.check(change.from, 'create');
  if (!withheld.admits(verdict)) return undefined;
  if (from && !from.isAllowed && from.reason !== 'exists') {
    withheld.add(from.reason);
    return undefined;
  }
  const was = from?.isAllowed ? [`was ${JSON.stringify(from.shown)}`] : [];
  const facts = [change.state, ...was, ...(change.isStaged ? ['staged'] : [])].join(', ');
  return { change, facts, place: verdict.shown };
}
