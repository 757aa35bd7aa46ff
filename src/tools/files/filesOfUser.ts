import { homedir } from 'node:os';
import { FilePolicy } from '../policy/filePolicy.ts';
import type { FileReaders, ToolDependencies } from '../toolDependencies.ts';
import { FileTexts } from './fileTexts.ts';
import type { Files } from './workspace.ts';

/** Readers of the user's folders, trusted in any workspace. `folders`: absolute with forward slashes, by shown name. */
export function filesOfUser(
  { workspace }: Pick<ToolDependencies, 'workspace'>,
  folders: Readonly<Record<string, string>>,
): FileReaders {
  const roots = Object.entries(folders).map(([name, path]) => ({ name, path, isVirtual: false }));
  const files: Files = {
    ...workspace.files,
    folders: () => roots,
    rules: () => ({ ...workspace.files.rules(), isTrusted: true }),
  };
  const own = { ...workspace, files };
  const policy = new FilePolicy(files);
  return { workspace: own, policy, texts: new FileTexts(own, policy) };
}

/** Folders below the home folder where such programs keep the user's own files. */
const places = {
  skills: ['.agents/skills', '.copilot/skills', '.claude/skills'],
  agents: ['.copilot/agents', '.claude/agents'],
};

export function userFolders(kind: keyof typeof places): Record<string, string> {
  const home = homedir().replaceAll('\\', '/');
  return Object.fromEntries(places[kind].map((place) => [`~/${place}`, `${home}/${place}`]));
}
