import { shownField, textField } from '../../base/text/frontMatter.ts';
import { oneWord } from '../../base/text/oneLine.ts';
import { joinPath } from '../files/fileSystem.ts';
import type { FileReaders } from '../toolDependencies.ts';

/** A folder with a `SKILL.md`: how something is done, for models and, after a slash, for users. */
export interface Skill {
  name: string;
  description?: string;
  argumentHint?: string;
  folder: string;
  /** Absolute. */
  path: string;
  body: string;
  isForUsers: boolean;
  isForModels: boolean;
  readers: FileReaders;
}

export interface SkillPlace {
  readers: FileReaders;
  /** Relative to the readers' folders. */
  folder: string;
}

export const skillFolders = ['.agents/skills', '.github/skills', '.claude/skills'] as const;

const mostInFolder = 100;
/** The limit of the format. */
const longestDescription = 1024;

/** The first of each name counts. Skips what can't be read. */
export async function readSkills(places: readonly SkillPlace[]): Promise<Skill[]> {
  const skills = new Map<string, Skill>();
  for (const { readers, folder } of places) {
    for (const root of readers.workspace.files.folders()) {
      for (const skill of await readFolder(readers, joinPath(root.path, folder))) {
        if (!skills.has(skill.name)) skills.set(skill.name, skill);
      }
    }
  }
  return [...skills.values()];
}

async function readFolder(readers: FileReaders, path: string): Promise<Skill[]> {
  const { access } = readers.workspace.files;
  // Most of the folders don't exist, and a lookup is cheaper than a policy check.
  if (!(await access.find(path).catch(() => undefined))) return [];
  const run = readers.policy.start();
  if (!(await run.check(path, 'list')).isAllowed) return [];
  const entries = await access.list(path).catch(() => []);
  const names = entries.filter(({ type }) => type !== 'file').map(({ name }) => name);
  const skills: Skill[] = [];
  for (const name of names.toSorted().slice(0, mostInFolder)) {
    const folder = joinPath(path, name);
    const verdict = await run.check(joinPath(folder, 'SKILL.md'), 'read');
    const file = verdict.isAllowed ? await readers.texts.readFields(verdict) : undefined;
    if (!verdict.isAllowed || !file) continue;
    const description = shownField(file, 'description', longestDescription);
    const argumentHint = shownField(file, 'argument-hint');
    skills.push({
      name: oneWord(textField(file, 'name') ?? name),
      ...(description && { description }),
      ...(argumentHint && { argumentHint }),
      folder: verdict.shown.slice(0, -'/SKILL.md'.length),
      path: folder,
      body: file.body.trim(),
      isForUsers: textField(file, 'user-invocable') !== 'false',
      isForModels: textField(file, 'disable-model-invocation') !== 'true' && description !== undefined,
      readers,
    });
  }
  return skills;
}
