import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { findCodePlaces } from '../../chat/codeBlocks/codePlaces.ts';
import { namedFiles } from '../../chat/codeBlocks/namedFiles.ts';
import type { GrantedFile } from '../../tools/policy/verdict.ts';
import { compilePattern } from '../../tools/search/linePattern.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { toPath } from '../workspace/workspacePlaces.ts';
import type { CodeCandidate } from './chooseCodePlace.ts';
import { type CodeBlock, makeCodeEdit, type UseCodeDependencies } from './codeEdits.ts';

const mostFiles = 30;
const searchMs = 5000;
/** In characters; larger files are not compared with the code. */
const largestFile = 1_000_000;

/** Makes a code block's change where it certainly belongs, else asks. Returns the problem, if any. */
export async function applyCode(deps: UseCodeDependencies, block: CodeBlock): Promise<string | undefined> {
  const { dependencies } = await deps.tools();
  const named = namedFiles(block, block.code);
  const titled = named.title === undefined ? [] : await filesOf(dependencies, [named.title]);
  if (named.title !== undefined && titled.length === 0) {
    const problem = await objectionTo(dependencies, named.title);
    if (problem !== undefined) return problem;
    return (await import('./createFileFromCode.ts')).createFileFromCode(deps, block);
  }
  const files =
    titled.length > 0
      ? titled
      : await filesOf(dependencies, [
          ...named.mentioned,
          ...openPaths(),
          ...(await pathsWith(dependencies, named.code)),
        ]);
  const candidates = await readAll(dependencies, files, { ...block, code: named.code });
  const certain = candidates.flatMap(({ file, text, found }) =>
    found.type === 'certain' ? { file, before: text, after: found.place.after } : [],
  );
  const same = candidates.find(({ found }) => found.type === 'same');
  const [only] = certain;
  if (only && certain.length === 1) return makeCodeEdit(deps, only);
  if (same && certain.length === 0) {
    void deps.notifications.information(l10n.t('{0} already contains this code.', same.file.shown));
    return undefined;
  }
  const { choosePlace } = await import('./chooseCodePlace.ts');
  const chosen = await choosePlace(candidates, named.code);
  if (chosen === undefined) return undefined;
  if (chosen === 'newFile') return (await import('./createFileFromCode.ts')).createFileFromCode(deps, block);
  const { file, text } = chosen.candidate;
  return makeCodeEdit(deps, { file, before: text, after: chosen.after });
}

/** The reason why a named file that is there may not be edited. */
async function objectionTo({ policy }: ToolDependencies, path: string): Promise<string | undefined> {
  const verdict = await policy.check(path, 'edit');
  return verdict.isAllowed || verdict.reason === 'not-found' ? undefined : verdict.forUser;
}

async function filesOf({ policy }: ToolDependencies, paths: readonly string[]): Promise<GrantedFile[]> {
  const files = new Map<string, GrantedFile>();
  const run = policy.start();
  for (const path of paths) {
    const verdict = await run.check(path, 'edit');
    if (verdict.isAllowed && verdict.stat?.type === 'file') files.set(verdict.realPath, verdict);
    if (files.size === mostFiles) break;
  }
  return [...files.values()];
}

/** Open files, the active one first. */
function openPaths(): string[] {
  const { activeTextEditor, visibleTextEditors, tabGroups } = vscode.window;
  const tabs = tabGroups.all.flatMap((group) => group.tabs);
  const inTabs = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? input.uri : []));
  const visible = visibleTextEditors.map(({ document }) => document.uri);
  return [...(activeTextEditor ? [activeTextEditor.document.uri] : []), ...visible, ...inTabs].map(toPath);
}

/** Files with the code's longest line. */
async function pathsWith({ search }: ToolDependencies, code: string): Promise<string[]> {
  const lines = code.split('\n').map((line) => line.trim());
  const query = lines.reduce((longest, line) => (line.length > longest.length ? line : longest), '');
  const pattern = compilePattern({ query: query.slice(0, 200), isRegex: false, ignoreCase: false });
  if ('problem' in pattern) return [];
  const asked = { path: undefined, include: [], exclude: [], skip: 0, limit: mostFiles };
  const outcome = await search.run(
    { ...asked, search: { pattern, context: 0 } },
    AbortSignal.timeout(searchMs),
  );
  return 'files' in outcome ? outcome.files.map(({ realPath }) => realPath) : [];
}

async function readAll(
  { texts }: ToolDependencies,
  files: readonly GrantedFile[],
  { code, language }: CodeBlock,
): Promise<CodeCandidate[]> {
  const candidates: CodeCandidate[] = [];
  for (const file of files) {
    if ((file.stat?.size ?? 0) > largestFile) continue;
    // A binary file is no place for code.
    const text = await texts.readWhole(file).catch(() => undefined);
    if (text !== undefined && text.length <= largestFile)
      candidates.push({ file, text, found: findCodePlaces(text, code, language) });
  }
  return candidates;
}
