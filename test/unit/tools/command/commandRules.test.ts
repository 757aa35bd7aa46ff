import assert from 'node:assert/strict';
import { beginningOf, judgeCommand } from '../../../../src/tools/command/commandRules.ts';
import type { ToolRule } from '../../../../src/tools/tool.ts';
import { allCommands } from '../../../../src/tools/command/plainCommands.ts';

/** Rules of a user who allows far too much: every program that occurs below. */
const generous = Object.fromEntries(
  `echo cat ls git npm pnpm yarn node python python3 perl ruby sh bash env xargs find fd rg sort sed awk tree date curl wget
  ssh nc make cargo go docker sudo time timeout tee cp mv rm ln dd chmod npx pip head tail grep wc true cd test printf
  uniq less vim eval exec source . command builtin kill export set pwd mvn gradle ./run.sh /bin/sh /usr/bin/env gh tar
  coproc function openssl alias trap read mapfile nohup watch parallel tsc pytest`
    .split(/\s+/)
    .map((program): [string, ToolRule] => [program, 'allow']),
);

function judge(line: string, rules: Record<string, ToolRule> = generous, remembered: string[] = []) {
  return judgeCommand({ line, rules, remembered, isToolAllowed: false, isForeignShell: false });
}

/** By what they try. Each was seen to get past somebody's rules, or is of the same kind. */
const bypasses: Record<string, readonly string[]> = {
  'a second command that no rule allows': [
    'echo a && danger',
    'echo a || danger',
    'echo a; danger',
    'echo a | danger',
    'danger; echo a',
    `${'echo a; '.repeat(60)}echo a`,
  ],
  'more than the four joiners': [
    'echo a & danger',
    'echo a &',
    'echo a |& danger',
    'echo a;; danger',
    '(danger)',
    '{ danger; }',
    '! danger',
    'coproc danger',
    'time danger',
    'if true; then danger; fi',
    'for i in a; do danger; done',
    'while true; do danger; done',
    'case a in a) danger;; esac',
    'echo() { danger; }; echo',
    'function ls { danger; }',
    '[[ a ]] && danger',
    '((a=1))',
  ],
  'a line end, seen by the one and not by the other': [
    'echo a\ndanger',
    'echo a\rdanger',
    'echo a\r\ndanger',
    'echo a\\\n; danger',
    'echo a\u0085danger',
    'echo a\u2028danger',
    'echo a\0danger',
    'echo a\tb',
    'echo a\u00a0danger',
  ],
  substitutions: [
    'echo $(danger)',
    'echo `danger`',
    'echo "$(danger)"',
    'echo "`danger`"',
    'cat <(danger)',
    'echo >(danger)',
    'echo $((a[$(danger)]))',
    'echo ${ danger; }',
  ],
  expansions: [
    'echo ${x@P}',
    'echo ${x:=$(danger)}',
    'echo ${!x}',
    'echo $HOME',
    'echo "$SECRET"',
    'echo ~/.ssh',
    'cat *',
    'cat .en?',
    'cat .en[v]',
    'cat {.env,a}',
    'echo @(a|b)',
    "echo $'\\x2d'",
    'echo $"a"',
    'echo !!',
  ],
  redirections: [
    'echo a > ~/.bashrc',
    'echo a >> file',
    'echo a >| file',
    'cat < .env',
    'echo a 2> file',
    'echo a &> file',
    'cat <<< a',
    'cat << EOF\na\nEOF',
    'echo a 2>&1',
    'exec 3<> /dev/tcp/a/1',
  ],
  'an environment before the command': [
    'LD_PRELOAD=./x.so ls',
    'GIT_SSH_COMMAND=danger git status',
    'PAGER=danger git log',
    'A=1',
    'A[0]=1 ls',
    'a+=b ls',
    'env A=1 ls',
    'export PATH=.',
  ],
  quoting: [
    'find . -e"x"ec ls',
    'fi"nd" .',
    "e'c'ho a",
    'l\\s',
    'echo "a\\"b',
    'echo "a',
    "'ls'",
    '"git" push',
    'echo a\\ b',
  ],
  'options that run or write': [
    'find . -exec ls {} +',
    "find -- . -exec ls '{}' +",
    'find -- . -delete',
    'yq -i .a=1 file.yml',
    'yq --inplace .a=1 file.yml',
    'git log -- --output=file',
    'find . -exec ls',
    'find . -execdir ls',
    'find . -ok ls',
    'find . -delete',
    'find . -fprint file',
    'find . -fls file',
    'fd a -x ls',
    'fd --exec-batch ls',
    'rg --pre danger a',
    'rg --pre=danger a',
    'rg -uz a',
    'sort --compress-program danger a',
    'sort --comp=danger a',
    'sort -o file a',
    'sort -uo file a',
    'sort --outp=file a',
    'tree -o file',
    'date -s 2020',
    'date --set=2020',
    'uniq a b',
    'make SHELL=danger',
    'make -f evil.mk',
    'make --eval=a',
    'npm test --script-shell=danger',
    'npm run a --node-options=-r',
    'npm --prefix evil test',
    'cargo --config a test',
    'cargo test --config a',
    'go test -exec danger',
    'go build -toolexec danger',
    'mvn exec:java',
    'gradle -I evil.gradle',
  ],
  'git that writes or runs': [
    'git push',
    'git commit -m a',
    'git checkout .',
    'git -c alias.x=!danger x',
    'git -c core.pager=danger log',
    'git -C other status',
    'git --git-dir=evil status',
    'git --exec-path=evil status',
    'git log --output=file',
    'git diff --outp=file',
    'git grep -O a',
    'git grep -nOvi a',
    'git grep --open-files-in-pager a',
    'git diff --ext-diff',
    'git branch evil',
    'git branch -D main',
    'git tag v1',
    'git remote add a b',
    'git stash',
    'git stash pop',
    'git config core.fsmonitor danger',
    'git reflog expire',
    'git clone a',
    'git',
  ],
  'interpreters, and what runs others': [
    'node -e 1',
    'python -c 1',
    'python3 a.py',
    'perl -e 1',
    'ruby a.rb',
    'sh -c ls',
    '/bin/sh -c ls',
    '/usr/bin/env ls',
    'bash a.sh',
    'ls | sh',
    'ls | xargs ls',
    'sed -n e a',
    'sed -i s/a/b/ f',
    'awk 1 a',
    'sudo ls',
    'timeout 5 ls',
    'nohup ls',
    'eval ls',
    'exec ls',
    'source a.sh',
    '. a.sh',
    'command ls',
    'builtin echo a',
    'alias ls=danger',
    'trap danger EXIT',
    'set -x',
    "printf -v 'a[$(danger)]' b",
    "test -v 'a[$(danger)]'",
    "read 'a[$(danger)]'",
    'less a',
    'vim a',
    'openssl enc',
    'cd',
    'cd -',
  ],
  'the network': [
    'curl a',
    'wget a',
    'ssh a',
    'nc a 1',
    'npm install a',
    'npm i',
    'npm ci',
    'npm exec a',
    'npm x a',
    'npm publish',
    'npx a',
    'pnpm dlx a',
    'pnpm add a',
    'yarn',
    'yarn add a',
    'pip install a',
    'cargo install a',
    'go get a',
    'go install a',
    'go run example.com/a@latest',
    'docker run a',
    'gh api a',
    'cat https://example.com/a',
  ],
  'writing and deleting': [
    'rm a',
    'cp a b',
    'mv a b',
    'ln -s a b',
    'tee a',
    'dd if=a',
    'chmod 777 a',
    'tar xf a',
    'kill 1',
  ],
};

describe('tools: rules for commands', () => {
  for (const [kind, lines] of Object.entries(bypasses)) {
    it(`lets none through: ${kind}`, () => {
      for (const line of lines) assert.equal(judge(line).rule, 'ask', JSON.stringify(line));
    });
  }

  it('lets none of them through because the tool is allowed, nor offers to remember one', () => {
    const [, ...others] = Object.values(bypasses);
    const lines = others.flat();
    assert.ok(lines.length > 150);
    for (const line of lines) {
      const verdict = judgeCommand({
        line,
        rules: {},
        remembered: [],
        isToolAllowed: true,
        isForeignShell: false,
      });
      assert.ok(verdict.rule === 'ask' && 'why' in verdict, JSON.stringify(line));
    }
  });

  it('allows plain and quoted words joined by the four joiners, with every part allowed', () => {
    for (const line of [
      'npm test',
      'npm test -- --grep "a b"',
      'npm run build && npm test; ls -la | head -5 || true',
      "grep -rn 'TODO: (a|b)*' src",
      'git status',
      'git log --oneline -5',
      'git diff HEAD~1..HEAD'.replace('~1', ''),
      'git branch -a',
      'git stash list',
      'find . -name "*.ts" -type f',
      'sort -u a',
      'cd src && ls',
      'cat 说明.md',
      'cargo test --release',
      './run.sh fast',
      'ls;',
    ]) {
      assert.equal(judge(line).rule, 'allow', line);
    }
  });

  it('matches a rule by whole words from the beginning', () => {
    const rules: Record<string, ToolRule> = { 'npm test': 'allow' };
    assert.equal(judge('npm test --watch', rules).rule, 'allow');
    for (const line of ['npm', 'npm testing', 'npm run test', './npm test', 'x npm test', 'NPM test']) {
      assert.equal(judge(line, rules).rule, 'ask', line);
    }
  });

  it('lets deny beat ask and ask beat allow, whatever is longer or came first', () => {
    const rules: Record<string, ToolRule> = { 'npm test': 'allow', npm: 'ask', 'npm run': 'deny' };
    assert.deepEqual(judge('npm test', rules), { rule: 'ask', why: { type: 'asked', command: 'npm' } });
    assert.deepEqual(judge('npm run build', rules), { rule: 'deny', by: 'npm run' });
    assert.deepEqual(judge('npm run build', rules, ['npm run build']), { rule: 'deny', by: 'npm run' });
  });

  it('denies by whatever path, case and place, with options in between', () => {
    const rules: Record<string, ToolRule> = { 'git push': 'deny', curl: 'deny' };
    for (const line of [
      'git push',
      'git -C . push origin',
      '/usr/bin/git push',
      'GIT push',
      'ls && git push',
      'echo $(git push)',
      '(curl a)',
      'if true; then curl a; fi',
      'A=1 curl a',
      'cat <(curl a)',
      '/bin/c"ur"l a',
    ]) {
      assert.equal(judge(line, rules).rule, 'deny', line);
    }
    assert.equal(judge('git log push', { 'git push': 'deny' }).rule, 'deny', 'rather once too often');
    assert.equal(judge('echo push', rules).rule, 'ask');
  });

  it('offers to remember program and subcommand of what no rule allows yet', () => {
    const verdict = judge('npm test -- -x && npm run lint && ls', { ls: 'allow' });
    assert.deepEqual('always' in verdict && verdict.always, ['npm test', 'npm run lint']);
    assert.equal(judge('npm test -- -y', {}, ['npm test']).rule, 'allow');
    const beginning = (line: string) => beginningOf((allCommands(line)[0] ?? ['']) as [string]);
    assert.equal(beginning('pytest tests/a.py'), 'pytest');
    assert.equal(beginning('tsc --noEmit -p a'), 'tsc --noEmit');
    assert.equal(beginning('npm run build --if-present'), 'npm run build');
    assert.equal(beginning('cargo run release'), 'cargo run release');
  });

  it('allows nothing for a shell whose grammar is not known, but denies there', () => {
    const foreign = {
      rules: { dir: 'allow', del: 'deny' },
      remembered: [],
      isToolAllowed: true,
      isForeignShell: true,
    } as const;
    assert.deepEqual(judgeCommand({ ...foreign, line: 'dir' }), {
      rule: 'ask',
      why: { type: 'foreign-shell' },
    });
    assert.equal(judgeCommand({ ...foreign, line: 'del a' }).rule, 'deny');
  });

  it('asks about hostile lines without delay', () => {
    for (const part of ['$(', '(', '{ ', 'if ', '`', "'", '"', 'a|', '<<a ', '${a:-', '@(', '\\', '{a,']) {
      assert.equal(judge(part.repeat(100_000)).rule, 'ask', part);
      assert.notEqual(judge(part.repeat(Math.floor(3900 / part.length))).rule, 'allow', part);
    }
  });
});
