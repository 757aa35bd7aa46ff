/** Of the editor, of a key handed over, or such that would make a shell read files before the command. */
const removed =
  /^(?:SWITCHBOARD_|VSCODE_|ELECTRON_|BASH_ENV$|ENV$|CDPATH$|PROMPT_COMMAND$|GIT_ASKPASS$|SSH_ASKPASS$)/i;
/** A shorter value would be in many by chance. */
const shortestSecret = 8;

/** Nothing waits for a key press, colours nothing, or asks for a password where nobody can answer. */
const quiet = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  NO_COLOR: '1',
  TERM: 'dumb',
  GIT_TERMINAL_PROMPT: '0',
};

/**
 * What Git must not do for a repository that lies inside another one, where anybody may have put it: take a bare one for
 * the repository, or run the monitor that it names.
 */
const gitSettings = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
] as const;

/**
 * The environment of a command: the user's, without anything that holds a key of ours.
 * @param secrets all keys that are kept
 */
export function commandEnvironment(
  env: Readonly<NodeJS.ProcessEnv>,
  secrets: readonly string[],
): NodeJS.ProcessEnv {
  const known = secrets.filter((secret) => secret.length >= shortestSecret);
  const kept = Object.entries(env).filter(
    ([name, value]) => !removed.test(name) && !known.some((secret) => value?.includes(secret)),
  );
  const own = Object.fromEntries(kept);
  const count = Number(own['GIT_CONFIG_COUNT'] ?? 0) || 0;
  const git = gitSettings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${count + index}`, name],
    [`GIT_CONFIG_VALUE_${count + index}`, value],
  ]);
  return {
    ...own,
    ...quiet,
    ...Object.fromEntries(git),
    GIT_CONFIG_COUNT: String(count + gitSettings.length),
  };
}
