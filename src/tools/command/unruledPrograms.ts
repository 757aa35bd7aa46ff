import type { CommandWords } from './parseCommand.ts';

export type UnruledReason = 'runs-code' | 'network' | 'git' | 'writes';

const words = (text: string): string[] => text.trim().split(/\s+/);

const programs: ReadonlyMap<string, UnruledReason> = new Map([
  ...entries(
    'runs-code',
    `sh bash dash ash zsh ksh mksh fish csh tcsh rbash busybox toybox pwsh powershell cmd wscript cscript mshta
    node nodejs deno bun tsx ts-node python pypy ipython jupyter perl ruby irb php lua luajit java jshell groovy scala
    kotlin ghci runghc elixir iex erl escript osascript tclsh wish expect rscript r julia sqlite3 awk gawk mawk nawk
    sed gsed ed ex vi vim nvim view emacs nano pico joe less more most man info gdb lldb strace ltrace valgrind perf`,
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

/** Safe subcommands of programs with many; any other one can't be allowed by a rule. */
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

/** Safe words after Git subcommands that can also write. */
const gitReads: Readonly<Record<string, readonly string[]>> = {
  branch: words(
    '-a -r -v -vv --all --remotes --verbose --list --show-current --merged --no-merged --no-color',
  ),
  tag: words('-l --list -n --no-color'),
  remote: words('-v --verbose'),
  stash: words('list'),
  reflog: words('show'),
};

/** Programs that read, write or run any file they are given: a rule can only allow their whole lines. */
const exactOnly = new Set(
  words(
    `find fd fdfind bfs rg ag ack ugrep egrep fgrep zgrep zcat tac nl bat cut paste column comm join diff cmp sort uniq tsort
    od xxd hexdump strings base32 base64 cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum jq yq tree
    file stat vdir du df look rev fold fmt pr tr expand unexpand shuf iconv readlink realpath date hostname gmake bmake
    mvnw gradlew ant rake just task bazel buck ninja cmake ctest`,
  ),
);

/** Harmless words of these programs; with any other, only the whole line can be allowed. */
const knownWords: Readonly<Record<string, RegExp>> = {
  echo: /^/,
  ls: /^(?:-[1AFRSahlprt]+|[^-].*)$/,
  cat: /^(?:-[An]|[^-].*)$/,
  head: /^(?:-n|-\d+|[^-].*)$/,
  tail: /^(?:-n|-\d+|[^-].*)$/,
  wc: /^(?:-[clmw]+|[^-].*)$/,
  grep: /^(?:-[EFHchilnorvw]+|[^-].*)$/,
  git: /^(?:--|-\d+|-[abnrsv]|-vv|--(?:all|branch|cached|decorate|graph|list|merged|name-only|name-status|no-color|oneline|porcelain|reverse|short|shortstat|show-current|staged|stat|verbose|version)|[^-].*)$/,
  make: /^(?:-[jks]\d*|[\w./][\w./-]*)$/,
  mvn: /^(?:-[Boq]|--batch-mode|[a-z][a-z-]*)$/,
  gradle: /^(?:-q|--(?:info|offline|stacktrace)|:?[A-Za-z][\w:]*)$/,
  npm: /^(?:-s|--silent|--if-present|[^-].*)$/,
  cargo:
    /^(?:-[pqv]|--(?:all|all-features|all-targets|bins|lib|locked|no-fail-fast|offline|quiet|release|tests|verbose|workspace)|[^-].*)$/,
  go: /^(?:-(?:bench|count|cover|failfast|json|parallel|race|run|short|tags|timeout|v)(?:=.*)?|[^-].*)$/,
  pytest: /^(?:-[kqsvx]+|--(?:co|collect-only|ff|lf|maxfail=\d+|tb=[a-z]+)|[^-].*)$/,
  tsc: /^(?:-[bp]|--(?:build|noEmit|pretty|project|version)|[^-].*)$/,
  eslint: /^(?:--(?:ext|fix|max-warnings|quiet)|[^-].*)$/,
};

/** Programs that pass on the words after `--`. */
const forwards = new Set(words('npm cargo'));

const searchers = new Set(words('rg ag ack ugrep grep egrep fgrep zgrep'));

export function canBeOneOfMany([program, ...rest]: CommandWords): boolean {
  const name = programOf(program);
  if (exactOnly.has(name)) return false;
  const known = knownWords[name];
  const end = forwards.has(name) ? rest.indexOf('--') : -1;
  return !known || rest.slice(0, end < 0 ? rest.length : end).every((word) => known.test(word));
}

export function searchesFolder([program, subcommand]: CommandWords): boolean {
  const name = programOf(program);
  return searchers.has(name) || (name === 'git' && subcommand === 'grep');
}

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
  // `go run example.com/a@latest`
  return name === 'go' && rest.some((word) => word.includes('@')) ? 'network' : undefined;
}

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
