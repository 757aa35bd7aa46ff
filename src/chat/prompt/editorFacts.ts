import { oneLine } from '../../base/text/oneLine.ts';
import { visibleName } from '../../base/text/visibleText.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import type { OpenEditor } from '../../tools/files/workspace.ts';
import { sha256 } from '../../base/sha256.ts';

export interface Machine {
  /** YYYY-MM-DD; with the time, no two requests would begin alike. */
  date: string;
  system: string;
  shell: string | undefined;
}

export interface SeenFiles {
  /** Epoch milliseconds of the previous message; undefined for the first. */
  since: number | undefined;
  /** Files read or changed, by model path, with the content hash after the model's own edit. */
  files: ReadonlyMap<string, string | undefined>;
}

const longestPath = 120;
const longestName = 40;
const longestList = 120;
const mostFiles = 300;

/** Facts for the head of a message, one per line, about 150 tokens at most. Never throws. */
export async function editorFacts(
  deps: ToolDependencies,
  machine: Machine,
  seen: SeenFiles,
  tellsActiveFile: boolean,
): Promise<string[]> {
  const { workspace } = deps;
  const open = workspace.editors.open();
  const folders = workspace.files.folders().map(({ name }) => oneLine(name, longestName));
  const [branch, active, changed] = await Promise.all([
    workspace.sourceControl.branch().catch(() => undefined),
    tellsActiveFile
      ? activeFile(
          deps,
          open.find(({ isActive }) => isActive),
        )
      : undefined,
    seen.since === undefined ? [] : changedFiles(deps, open, { ...seen, since: seen.since }),
  ]);
  return [
    `Date: ${machine.date}`,
    `System: ${machine.system}${machine.shell ? `, ${machine.shell}` : ''}`,
    folders.length > 1 && `Workspace folders: ${folders.slice(0, 5).join(', ')}`,
    branch !== undefined && `Git branch: ${oneLine(branch, longestName)}`,
    active,
    changed.length > 0 && `Changed since the message before, not by your edits: ${listed(changed)}`,
  ].filter((line) => typeof line === 'string');
}

async function activeFile(
  { policy, workspace }: ToolDependencies,
  editor: OpenEditor | undefined,
): Promise<string | undefined> {
  if (!editor) return undefined;
  const file = await policy.check(editor.path, 'read');
  if (!file.isAllowed || file.shown.length > longestPath) return undefined;
  const { selection } = editor;
  const errors = workspace.languages
    .diagnostics(file.realPath)
    .filter(({ severity }) => severity === 'error').length;
  return [
    `Active file: ${visibleName(file.shown)}`,
    ...(selection ? [`lines ${selection.start.line}-${selection.end.line} selected`] : []),
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'}`] : []),
  ].join(', ');
}

async function changedFiles(
  { policy, texts }: ToolDependencies,
  open: readonly OpenEditor[],
  { since, files }: SeenFiles & { since: number },
): Promise<string[]> {
  const run = policy.start();
  const unsaved = new Set(open.filter((each) => each.hasUnsavedChanges).map(({ path }) => path));
  const candidates = [...new Set([...open.map(({ path }) => path), ...[...files.keys()].toReversed()])];
  const changed = await Promise.all(
    candidates.slice(0, mostFiles).map(async (path) => {
      const file = await run.check(path, 'read');
      if (!file.isAllowed) return undefined;
      const isKnown = files.has(file.shown);
      if ((file.stat?.mtimeMs ?? 0) <= since && !(isKnown && unsaved.has(path))) return undefined;
      const left = files.get(file.shown);
      const isOurs = left !== undefined && sha256(await texts.readWhole(file).catch(() => '')) === left;
      return isOurs ? undefined : visibleName(file.shown);
    }),
  );
  return [...new Set(changed.filter((path) => path !== undefined))];
}

function listed(paths: readonly string[]): string {
  const told: string[] = [];
  for (const path of paths) {
    if ([...told, path].join(', ').length > longestList) break;
    told.push(path);
  }
  const more = paths.length - told.length;
  return [
    ...told,
    ...(more > 0 ? [`${told.length > 0 ? 'and ' : ''}${more} ${told.length > 0 ? 'more' : 'files'}`] : []),
  ].join(', ');
}
