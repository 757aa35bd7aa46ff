import { frame } from '../../base/text/frame.ts';
import { redactSecrets } from '../../base/secrets/redactSecrets.ts';
import { visibleLine } from '../../base/text/visibleText.ts';
import * as z from 'zod/mini';
import { unifiedDiff } from '../../base/text/lineDiff.ts';
import { decodeText, detectEncoding } from '../files/decodeText.ts';
import { relativeInside } from '../files/fileSystem.ts';
import type { PolicyRun } from '../policy/policyRun.ts';
import { secretContent } from '../policy/secretByContent.ts';
import type { GrantedFile } from '../policy/verdict.ts';
import { defineTool, type Tool } from '../tool.ts';
import { granted, ToolFailure } from '../toolFailure.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { cutLine, takeLines } from '../files/truncate.ts';
import { WithheldCount } from '../files/withheldCount.ts';
import type { GitChange, FileVersion } from '../files/workspace.ts';
import { createGiveWay } from '../../base/async/promises.ts';

/** In bytes; comparing larger texts would block other work. */
const largestCompared = 1_000_000;

export function getChangesTool(deps: ToolDependencies): Tool {
  return defineTool({
    name: 'get_changes',
    description:
      'Gives the changes since the last git commit, staged and not: the files and their diffs. Files that git does ' +
      'not know are only listed.',
    input: z.object({
      path: z.optional(z.string().check(z.describe('Default: all.'))),
      withDiff: z.optional(z.boolean().check(z.describe('Default: true.'))),
    }),
    risk: 'read',
    async run({ path, withDiff = true }, { signal, keepsSecrets = false }) {
      const run = deps.policy.start();
      const within = path === undefined ? undefined : await placeOf(path, run);
      const all = await deps.workspace.sourceControl.changes(signal);
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
      const differing = shown.filter(({ change }) => withDiff && change.state !== 'untracked');
      const diffs: string[] = [];
      const giveWay = createGiveWay();
      for (const each of new Map(differing.map((file) => [file.change.path, file])).values()) {
        for (const line of await diffLines(each, withheld, keepsSecrets, signal, deps)) diffs.push(line);
        await giveWay();
        signal.throwIfAborted();
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
    },
  });
}

async function placeOf(given: string, run: PolicyRun): Promise<string> {
  const asFolder = await run.check(given, 'list');
  if (asFolder.isAllowed) return asFolder.realPath;
  const asFile = await run.check(given, asFolder.reason === 'not-found' ? 'create' : 'read');
  return granted(asFile).realPath;
}

/** Compares the texts here: Git would run a program that the repository names. */
async function diffLines(
  { change, place, was = place, file }: ShownChange,
  withheld: WithheldCount,
  keepsSecrets: boolean,
  signal: AbortSignal,
  deps: ToolDependencies,
): Promise<string[]> {
  const head = [
    change.before ? `--- a/${was}` : '--- /dev/null',
    change.state === 'deleted' ? '+++ /dev/null' : `+++ b/${place}`,
  ];
  const sides: string[] = [];
  for (const version of [change.before, change.state === 'deleted' ? undefined : (change.staged ?? file)]) {
    const text = version === undefined ? '' : await textOf(version, change.path, signal, deps);
    const secret = text !== undefined && secretContent(change.path, text);
    if (secret) withheld.add(secret);
    if (secret || text === undefined)
      return secret ? [] : [...head, '[Not a text, or too large to compare.]'];
    sides.push(keepsSecrets ? text : redactSecrets(text));
  }
  const hunks = unifiedDiff(sides[0] ?? '', sides[1] ?? '');
  return hunks.length > 0 ? [...head, ...hunks].map((line) => cutLine(visibleLine(line))) : [];
}

async function textOf(
  version: FileVersion | GrantedFile,
  path: string,
  signal: AbortSignal,
  { workspace, texts }: ToolDependencies,
): Promise<string | undefined> {
  try {
    if (typeof version === 'object') {
      return (version.stat?.size ?? 0) > largestCompared ? undefined : await texts.readWhole(version);
    }
    const bytes = await version(signal);
    if (bytes.length > largestCompared) return undefined;
    const encoding = detectEncoding(bytes, true, workspace.files.encodingOf(path));
    return encoding && decodeText(bytes, encoding);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

interface ShownChange {
  change: GitChange;
  facts: string;
  place: string;
  was?: string | undefined;
  file?: GrantedFile;
}

async function toShownChange(
  change: GitChange,
  run: PolicyRun,
  withheld: WithheldCount,
): Promise<ShownChange | undefined> {
  // A deleted file's old text falls under the same rules.
  const asFile = await run.check(change.path, change.state === 'deleted' ? 'create' : 'read');
  // A submodule is a folder.
  const isFolder = !asFile.isAllowed && asFile.reason === 'not-a-file';
  const verdict = isFolder ? await run.check(change.path, 'list') : asFile;
  const from = change.from === undefined ? undefined : await run.check(change.from, 'create');
  if (!withheld.admits(verdict)) return undefined;
  if (from && !from.isAllowed && from.reason !== 'exists') {
    withheld.add(from.reason);
    return undefined;
  }
  const was = from?.isAllowed ? from.shown : undefined;
  const facts = [
    change.state,
    ...(was === undefined ? [] : [`was ${JSON.stringify(was)}`]),
    ...(change.isStaged ? ['staged'] : []),
  ].join(', ');
  return { change, facts, place: verdict.shown, was, ...(!isFolder && verdict.stat && { file: verdict }) };
}
