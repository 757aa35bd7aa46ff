import type { CommandWords } from './plainCommands.ts';

/** Why no rule can allow a command: what it may do depends on more than its name. */
export type UnruledReason =
  /** It runs code or other programs that it is given. */
  | 'runs-code'
  /** It uses the network, or brings in what is there. */
  | 'network'
  /** It changes a Git repository. */
  | 'git'
  /** It writes, moves or deletes what it is told to, or changes the system. */
  | 'writes';

const words = (text: string): string[] => text.trim().split(/\s+/);

const programs: ReadonlyMap<string, UnruledReason> = new Map([
  ...entries(
    'runs-code',
    // Shells, languages, editors, debuggers and pagers.
    `sh bash dash ash zsh ksh mksh fish csh tcsh rbash busybox toybox pwsh powershell cmd wscript cscript mshta
    node nodejs deno bun tsx ts-node python pypy ipython jupyter perl ruby irb php lua luajit java jshell groovy scala
    kotlin ghci runghc elixir iex erl escript osascript tclsh wish expect rscript r julia sqlite3 awk gawk mawk nawk
    sed gsed ed ex vi vim nvim view emacs nano pico joe less more most man info gdb lldb strace ltrace valgrind perf`,
    // What runs a program that it is given, and what makes the shell mean something else.
    `env xargs parallel sudo doas su runuser pkexec chroot nsenter unshare setsid setarch nohup nice ionice chrt taskset
    timeout time stdbuf unbuffer watch watchexec nodemon entr flock script screen tmux at batch start-stop-daemon
    systemd-run command builtin exec eval source . trap alias unalias enable set shopt export declare typeset local
    readonly unset read mapfile readarray let test printf getopts hash bind complete compgen fc history ulimit umask
    wait kill pkill killall jobs fg bg disown coproc function return break continue exit logout shift pushd popd dirs
    make-kpkg gpg openssl ssh-agent ssh-add`,
  ),
  ...entries(
    'network',
    `curl wget aria2c http https xh ssh scp sftp rsync ftp lftp tftp telnet nc ncat netcat socat nmap dig nslookup host
    whois ping traceroute mosh lynx links elinks w3m mail sendmail gh glab hub az aws gcloud gsutil kubectl helm oc docker
    docker-compose podman nerdctl buildah skopeo vagrant terraform tofu pulumi ansible ansible-playbook npx bunx pnpx uvx
    uv pip pipx easy_install gem conda mamba brew apt apt-get aptitude dpkg rpm yum dnf pacman apk snap flatpak port nix
    nix-shell nix-env choco scoop winget code codium cursor windsurf vsce ovsx svn hg bzr cvs p4 fossil psql mysql mongo
    mongosh redis-cli open xdg-open start explorer corepack nvm fnm volta asdf mise rustup bundle composer poetry`,
  ),
  ...entries(
    'writes',
    `rm rmdir unlink shred dd truncate tee sponge cp mv ln install patch split csplit mkfifo mknod mkfs fdisk parted chmod chown
    chgrp chattr setfacl mount umount sync shutdown reboot halt poweroff init service systemctl launchctl crontab useradd
    usermod userdel passwd tar cpio zip unzip 7z gzip gunzip bzip2 xz zstd ar jar iptables sysctl dconf gsettings
    defaults reg regedit del erase rd move copy xcopy robocopy format icacls takeown`,
  ),
]);

function entries(reason: UnruledReason, ...lists: string[]): [string, UnruledReason][] {
  return lists.flatMap(words).map((name) => [name, reason]);
}

/** Of programs with many commands those that only look, build or test; every other word in that place is unruled. */
const commandsOf: Readonly<Record<string, { reason: UnruledReason; known: readonly string[] }>> = {
  npm: {
    reason: 'network',
    known: words('test t tst run run-script ls list la ll why explain --version -v'),
  },
  pnpm: { reason: 'network', known: words('test t run ls list why build lint check typecheck --version -v') },
  yarn: { reason: 'network', known: words('test run list why build lint check typecheck --version -v') },
  cargo: {
    reason: 'network',
    known: words('build b check c test t clippy fmt doc tree bench run r metadata --version -V'),
  },
  go: { reason: 'network', known: words('build test vet fmt list version doc run') },
  dotnet: { reason: 'network', known: words('build test run format --version --info') },
  git: {
    reason: 'git',
    known: words(
      `status log show diff ls-files ls-tree rev-parse rev-list describe blame annotate shortlog merge-base name-rev
      for-each-ref show-ref grep count-objects branch tag remote stash reflog --version`,
    ),
  },
};

/** What follows a command of `git` that also writes, where it does not: all options are known, or it is one of these. */
const gitReads: Readonly<Record<string, readonly string[]>> = {
  branch: words(
    '-a -r -v -vv --all --remotes --verbose --list --show-current --merged --no-merged --no-color',
  ),
  tag: words('-l --list -n --no-color'),
  remote: words('-v --verbose'),
  stash: words('list'),
  reflog: words('show'),
};

type OptionRule = { reason: UnruledReason; names?: readonly string[]; letters?: string; exact?: string[] };

/**
 * Options through which a program that looks harmless runs code or writes. `names` are long options, which may be
 * abbreviated; `letters` are short ones, which may stand in a cluster; `exact` are whole words.
 */
const optionsOf: Readonly<Record<string, readonly OptionRule[]>> = {
  find: [
    { reason: 'runs-code', exact: words('-exec -execdir -ok -okdir') },
    { reason: 'writes', exact: words('-delete -fprint -fprint0 -fprintf -fls') },
    { reason: 'runs-code', exact: words('-files0-from') },
  ],
  fd: [{ reason: 'runs-code', names: ['exec', 'exec-batch'], letters: 'xX' }],
  fdfind: [{ reason: 'runs-code', names: ['exec', 'exec-batch'], letters: 'xX' }],
  rg: [{ reason: 'runs-code', names: ['pre', 'hostname-bin', 'search-zip'], letters: 'z' }],
  ag: [{ reason: 'runs-code', names: ['pager'] }],
  bat: [{ reason: 'runs-code', names: ['pager'] }],
  sort: [
    { reason: 'runs-code', names: ['compress-program', 'files0-from'] },
    { reason: 'writes', names: ['output', 'temporary-directory'], letters: 'oT' },
  ],
  tree: [{ reason: 'writes', names: ['output'], letters: 'oR' }],
  date: [{ reason: 'writes', names: ['set'], letters: 's' }],
  hostname: [{ reason: 'writes', names: ['file'], letters: 'F' }],
  xxd: [{ reason: 'writes', letters: 'r', exact: ['-revert'] }],
  yq: [{ reason: 'writes', names: words('inplace in-place split-exp'), letters: 'is' }],
  file: [{ reason: 'writes', names: ['compile'], letters: 'C' }],
  make: [{ reason: 'runs-code', names: words('eval file makefile directory include-dir'), letters: 'fCIE' }],
  npm: [
    {
      reason: 'runs-code',
      names: words('script-shell node-options prefix userconfig globalconfig'),
      letters: 'C',
    },
  ],
  pnpm: [{ reason: 'runs-code', names: words('script-shell node-options dir shell-mode'), letters: 'Cc' }],
  yarn: [{ reason: 'runs-code', names: words('script-shell cwd use-yarnrc') }],
  cargo: [{ reason: 'runs-code', names: words('config manifest-path'), letters: 'CZ' }],
  go: [
    {
      reason: 'runs-code',
      exact: words('-exec -toolexec -vettool -overlay --exec --toolexec --vettool --overlay'),
    },
    { reason: 'writes', exact: words('-o --o -C --C') },
  ],
  mvn: [{ reason: 'runs-code', names: words('define file settings'), letters: 'Dfs' }],
  gradle: [{ reason: 'runs-code', names: words('init-script project-dir system-prop'), letters: 'IDp' }],
  git: [
    { reason: 'writes', names: ['output'] },
    {
      reason: 'runs-code',
      names: words('open-files-in-pager ext-diff textconv exec upload-pack'),
      letters: 'O',
    },
  ],
};

/** Programs that give what follows `--` to another one; `find` and others go on reading options after it. */
const forwards = new Set(words('npm pnpm yarn cargo dotnet'));

/** Programs that write to what is named second. */
const writesSecond = new Set(words('uniq xxd'));

/** Why no rule can allow this command; undefined if one can. */
export function unruledReason(command: CommandWords): UnruledReason | undefined {
  const name = programOf(command[0]);
  const rest = command.slice(1);
  // `python3.12` is Python.
  const listed = programs.get(name) ?? programs.get(name.replace(/[\d.-]+$/, ''));
  if (listed) return listed;
  if (rest.some((word) => /:\/\//.test(word))) return 'network';
  if (name === 'cd' && (rest.length !== 1 || rest[0]?.startsWith('-'))) return 'runs-code';
  const many = commandsOf[name];
  if (many && !many.known.includes(rest[0] ?? '')) return many.reason;
  if (name === 'git' && !readsOnly(rest)) return 'git';
  // Assignments on the command line of `make` and of build tools run what they say.
  if (/^(?:g|b)?make$/.test(name) && rest.some((word) => word.includes('='))) return 'runs-code';
  if (name === 'go' && rest.some((word) => word.includes('@'))) return 'network';
  if (name === 'mvn' && rest.some((word) => word.includes(':'))) return 'runs-code';
  if (writesSecond.has(name) && rest.filter((word) => !/^-./.test(word)).length > 1) return 'writes';
  const forwarded = forwards.has(name) ? rest.indexOf('--') : -1;
  const own = forwarded < 0 ? rest : rest.slice(0, forwarded);
  return optionReason(optionsOf[name === 'gmake' ? 'make' : name] ?? [], own);
}

/** The name of a program, whatever its folder, case and ending. */
export function programOf(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).toLowerCase();
  return name.replace(/\.(?:exe|cmd|bat|com|ps1)$/, '') || word;
}

function readsOnly([subcommand = '', ...rest]: readonly string[]): boolean {
  const known = gitReads[subcommand];
  if (!known) return true;
  // `git stash` alone stashes.
  if (subcommand === 'stash' && rest[0] !== 'list') return false;
  return rest.every((word) => known.includes(word));
}

function optionReason(rules: readonly OptionRule[], rest: readonly string[]): UnruledReason | undefined {
  for (const word of rest) {
    const hit = rules.find((rule) => matches(rule, word));
    if (hit) return hit.reason;
  }
  return undefined;
}

function matches({ names = [], letters = '', exact = [] }: OptionRule, word: string): boolean {
  const [option = ''] = word.split('=');
  if (exact.includes(option)) return true;
  if (option.startsWith('--'))
    return option.length > 2 && names.some((name) => `--${name}`.startsWith(option));
  // One dash does for long options of some programs; in a cluster of short ones each letter counts.
  if (!option.startsWith('-') || option === '-') return false;
  return word
    .slice(1)
    .split('')
    .some((letter) => letters.includes(letter));
}
