import { frame } from '../base/frame.ts';
import { redactSecrets } from '../base/secrets/redact.ts';
import { visibleLine } from '../base/visibleText.ts';
import * as z from 'zod/mini';
import { relativeInside } from './fileAccess.ts';
import { defineTool, type Tool, type ToolLocation } from './tool.ts';
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
      const list: string[] = [];
      const diffs: string[] = [];
      const locations: ToolLocation[] = [];
      const done = new Set<string>();
      const files = new Set<string>();
      for (const change of all) {
        if (within !== undefined && relativeInside(within, change.path, run.ignoreCase) === undefined)
          continue;
        // A deleted file has no place any more, but its old text falls under the same rules.
        const verdict = await run.check(change.path, change.state === 'deleted' ? 'create' : 'read');
        const from = change.from === undefined ? undefined : await run.check(change.from, 'create');
        if (!withheld.admits(verdict)) continue;
        if (from && !from.isAllowed && from.reason !== 'exists') {
          withheld.add(from.reason);
          continue;
        }
        files.add(change.path);
        const facts = [
          change.state,
          ...(from?.isAllowed ? [`was ${JSON.stringify(from.shown)}`] : []),
          ...(change.isStaged ? ['staged'] : []),
        ];
        list.push(`${facts.join(', ')}: ${verdict.shown}`);
        if (change.state !== 'deleted') locations.push({ path: verdict.shown });
        if (!withDiff || change.state === 'untracked' || done.has(change.path)) continue;
        done.add(change.path);
        diffs.push(...(await diffLines(change, keepsSecrets, signal)));
      }
      const { lines, left } = takeLines(diffs);
      const more =
        left > 0 ? [`[${left} more lines of diff are not shown. Ask for one file by its path.]`] : [];
      if (list.length === 0) list.push('Nothing is changed since the last commit.');
      const content = [
        ...list,
        ...(lines.length > 0 ? [frame({ kind: 'diff', facts: {}, body: lines.join('\n') })] : []),
        ...more,
        ...withheld.note('changed files'),
      ];
      return {
        content: content.join('\n'),
        isError: false,
        locations,
        count: files.size,
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

  async function diffLines(
    change: FileChange,
    keepsSecrets: boolean,
    signal: AbortSignal,
  ): Promise<string[]> {
    const raw = await sourceControl.diff(change.path, signal);
    const diff = keepsSecrets ? raw : redactSecrets(raw);
    return diff
      .trimEnd()
      .split(/\r?\n/)
      .map((line) => cutLine(visibleLine(line)));
  }
}
