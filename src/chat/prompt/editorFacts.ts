import { oneLine } from '../../base/oneLine.ts';
import { visibleName } from '../../base/visibleText.ts';
import { hashText } from '../../tools/editJournal.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import type { OpenEditor } from '../../tools/workspace.ts';

/** What is true of the machine, in words for a model. */
export interface Machine {
  /** The day there, as YYYY-MM-DD: with the time in it, no two requests would begin alike. */
  date: string;
  /** `Linux`, `macOS`, `Windows`. */
  system: string;
  /** Of the terminal; undefined where nobody knows. */
  shell: string | undefined;
}

/** What a conversation has seen of the workspace. */
export interface SeenFiles {
  /** When the message before was sent, in epoch milliseconds; undefined for the first. */
  since: number | undefined;
  /** Of each file that was read or changed, by its path as models name it, the hash of what an edit of the model left. */
  files: ReadonlyMap<string, string | undefined>;
}

/** A path or a name that is longer says less than it costs. */
const longestPath = 120;
const longestName = 40;
/** Of changed files; the others are counted. */
const longestList = 120;
/** Enough for any conversation; each is looked up on the disk. */
const mostFiles = 300;

/** What a model should know at the head of a message, a line each; at most some 150 tokens. Never throws. */
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

/** Of the files the model knows and those in editor tabs, what somebody else changed. */
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
      const isOurs = left !== undefined && hashText(await texts.readWhole(file).catch(() => '')) === left;
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
