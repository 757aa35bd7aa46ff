import * as l10n from '@vscode/l10n';
import { readFrontMatter, type FrontMatter } from '../../base/frontMatter.ts';
import { joinPath } from '../../tools/fileAccess.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { findNamedTools } from '../modes/namedTools.ts';

/** A Markdown file with fields, in which a project describes something for assistants. */
export interface ProjectFile extends FrontMatter {
  /** As models and people name it. */
  path: string;
  /** Without folder and ending. */
  name: string;
}

/** In one folder; a project that has more has lost count itself. */
const mostFiles = 100;
const mostCharacters = 100_000;

/**
 * Reads the files of a folder of each workspace folder, through the file policy: without what looks like a secret, and
 * none in a workspace that is not trusted. What cannot be read is left out.
 * @param endings of which a name has one
 */
export async function readProjectFiles(
  { policy, texts, workspace }: ToolDependencies,
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
      const text = await readText(texts.readPieces(verdict, new AbortController().signal)).catch(
        () => undefined,
      );
      if (text === undefined) continue;
      files.push({
        path: verdict.shown,
        name: name.slice(0, -ending.length),
        ...(await readFrontMatter(text)),
      });
    }
  }
  return files;
}

async function readText(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length > mostCharacters) return text.slice(0, mostCharacters);
  }
  return text;
}

/** The text of a field; undefined if it is absent or empty. */
export function textField({ fields }: FrontMatter, name: string): string | undefined {
  return fields[name]?.join(', ').trim() || undefined;
}

/** The entries of a field, also where they are written as one text. Undefined if it is absent. */
export function listField({ fields }: FrontMatter, name: string): readonly string[] | undefined {
  const values = fields[name];
  return values?.flatMap((value) => value.split(',').map((entry) => entry.trim())).filter(Boolean);
}

/** The tools that it names, if it names any; `problem` tells of those that are not known, in the user's language. */
export function toolsField(
  file: FrontMatter,
  knownTools: readonly string[],
): { tools?: ReadonlySet<string>; problem?: string } {
  const named = listField(file, 'tools');
  if (!named) return {};
  const { tools, unknown } = findNamedTools(named, knownTools);
  return {
    tools,
    ...(unknown.length > 0 && { problem: l10n.t('Unknown tools: {0}', unknown.join(', ')) }),
  };
}
