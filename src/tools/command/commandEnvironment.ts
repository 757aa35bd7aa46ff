/** The editor's variables, passed keys, and those that make a shell read files first. */
const removed =
  /^(?:SWITCHBOARD_|VSCODE_|ELECTRON_|BASH_ENV$|ENV$|CDPATH$|PROMPT_COMMAND$|GIT_ASKPASS$|SSH_ASKPASS$)/i;
const shortestSecret = 8;

/** Prevents pagers, colours and prompts that nobody could answer. */
const quiet = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  NO_COLOR: '1',
  TERM: 'dumb',
  GIT_TERMINAL_PROMPT: '0',
};

/** Git settings against untrusted nested repositories: no bare repositories, no file system monitor. */
const gitSettings = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
] as const;

const keyName = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PAT|CREDENTIALS?)(?:_|\d|$)/i;
const filePath = /^(?:[A-Za-z]:)?(?:[\\/][^\\/:]+)+$/;

export function environmentSecrets(env: Readonly<NodeJS.ProcessEnv>): string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    keyName.test(name) && value.length >= shortestSecret && !filePath.test(value) ? [value] : [],
  );
}

/** The user's environment without variables that hold any of the stored keys (`secrets`). */
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
