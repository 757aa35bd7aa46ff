import { basename, dirname, extname } from 'node:path/posix';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';

/** Variables of prompt files: only files that models may read, with secrets redacted. Unknown names are dropped. */
export async function editorVariables(
  { policy, workspace }: Pick<ToolDependencies, 'policy' | 'workspace'>,
  names: readonly string[],
): Promise<Record<string, string | undefined>> {
  const active = workspace.editors.open().find(({ isActive }) => isActive);
  const verdict = active && (await policy.check(active.path, 'read'));
  const path = verdict?.isAllowed ? verdict.shown : undefined;
  const selection = path === undefined ? undefined : active?.selection?.redacted;
  const folder = workspace.files.folders()[0];
  const known: Record<string, string | undefined> = {
    workspaceFolder: folder?.path,
    workspaceFolderBasename: folder?.name,
    file: path,
    fileBasename: path && basename(path),
    fileDirname: path && dirname(path),
    fileBasenameNoExtension: path && basename(path, extname(path)),
    selection,
    selectedText: selection,
  };
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(known, name)).map((name) => [name, known[name]]),
  );
}
