import * as l10n from '@vscode/l10n';
import { type FrontMatter, listField } from '../../base/text/frontMatter.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import { joinPath } from '../../tools/files/fileSystem.ts';
import type { FileReaders } from '../../tools/toolDependencies.ts';
import { findNamedTools } from '../modes/namedTools.ts';

export interface ProjectFile extends FrontMatter {
  path: string;
  name: string;
}

const mostFiles = 100;
const longestShown = 200;

/** Reads through the file policy: secrets are redacted, untrusted workspaces yield nothing. Skips unreadable files. */
export async function readProjectFiles(
  { policy, texts, workspace }: FileReaders,
  folder: string,
  endings: readonly string[],
): Promise<ProjectFile[]> {
  const { folders, access } = workspace.files;
  const files: ProjectFile[] = [];
  for (const root of folders()) {
    const path = joinPath(root.path, folder);
    const run = policy.start();
    if (!(await run.check(path, 'list')).isAllowed) continue;
    const entries = await access.list(path).catch(() => []);
    const names = entries.map(({ name }) => name).toSorted();
    for (const name of names
      .filter((each) => endings.some((ending) => each.endsWith(ending)))
      .slice(0, mostFiles)) {
      const verdict = await run.check(joinPath(path, name), 'read');
      if (!verdict.isAllowed) continue;
      const ending = endings.find((each) => name.endsWith(each)) ?? '';
      const file = await texts.readFields(verdict);
      if (file) files.push({ path: verdict.shown, name: name.slice(0, -ending.length), ...file });
    }
  }
  return files;
}

export function toolsField(
  file: FrontMatter,
  knownTools: readonly string[],
): { tools?: ReadonlySet<string>; problem?: string } {
  const named = listField(file, 'tools');
  if (!named) return {};
  const { tools, unknown } = findNamedTools(named, knownTools);
  return {
    tools,
    ...(unknown.length > 0 && {
      problem: l10n.t('Unknown tools: {0}', oneLine(unknown.join(', '), longestShown)),
    }),
  };
}
