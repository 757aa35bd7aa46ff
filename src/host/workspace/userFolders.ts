import { homedir } from 'node:os';

/** Where programs of this field keep what is the user's own, below the home folder. */
const places = {
  skills: ['.agents/skills', '.copilot/skills', '.claude/skills'],
  agents: ['.copilot/agents', '.claude/agents'],
};

/** Absolute paths, by the name that is shown. */
export function userFolders(kind: keyof typeof places): Record<string, string> {
  const home = homedir().replaceAll('\\', '/');
  return Object.fromEntries(places[kind].map((place) => [`~/${place}`, `${home}/${place}`]));
}
