import assert from 'node:assert/strict';
import { judgeCommand } from '../../../../src/tools/command/commandRules.ts';
import type { ToolRule } from '../../../../src/tools/tool.ts';

function judge(line: string, rules: Record<string, ToolRule> = {}, allowed: string[] = []) {
  return judgeCommand({ line, rules, allowed, isToolAllowed: false, isForeignShell: false });
}

describe('tools: rules for commands', () => {
  it('allows a line word for word, and no other one', () => {
    const allowed = [
      'npm test',
      'npm run build && npm test | head -5',
      "grep -n 'TODO: (a|b)*' src",
      'cat 说明.md',
    ];
    for (const line of [...allowed, ' npm test ']) assert.equal(judge(line, {}, allowed).rule, 'allow', line);
    for (const line of [
      'npm',
      'npm testing',
      'npm test x',
      'npm run test',
      './npm test',
      'NPM test',
      'npm  test x',
    ]) {
      assert.equal(judge(line, {}, allowed).rule, 'ask', line);
    }
  });

  it('allows lines one after another, where each of them is allowed and none feeds another one', () => {
    const allowed = ['npm test', 'npm run lint', 'cd src', 'tsc *'];
    for (const line of ['npm test && npm run lint', 'npm run lint; npm test;', 'npm test || tsc -p .']) {
      assert.equal(judge(line, {}, allowed).rule, 'allow', line);
    }
    for (const line of ['npm test | npm run lint', 'cd src && npm test', 'npm test && npm run build']) {
      assert.equal(judge(line, {}, allowed).rule, 'ask', line);
    }
  });

  it('allows what begins with the words of a rule that ends with a star, by whole words', () => {
    const allowed = ['npm test *'];
    for (const line of ['npm test', 'npm test a', 'npm test -- --grep "a b"']) {
      assert.deepEqual(judge(line, {}, allowed).rule, 'allow', line);
    }
    for (const line of ['npm', 'npm testing', 'npm run test', './npm test', 'x npm test', 'NPM test']) {
      assert.equal(judge(line, {}, allowed).rule, 'ask', line);
    }
    assert.equal(judge('ls', {}, [' *', '*']).rule, 'ask', 'no words are no beginning');
  });

  it('lets deny beat ask and ask beat allow, whatever is longer or came first', () => {
    const rules: Record<string, ToolRule> = { 'npm test': 'allow', npm: 'ask', 'npm run': 'deny' };
    assert.deepEqual(judge('npm test', rules, ['npm test']), {
      rule: 'ask',
      why: { type: 'asked', command: 'npm' },
    });
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
      "'C:\\bin\\curl.exe' a",
    ]) {
      assert.equal(judge(line, rules).rule, 'deny', line);
    }
    assert.equal(judge('git log push', { 'git push': 'deny' }).rule, 'deny', 'rather once too often');
    assert.equal(judge('curl a', { '/usr/bin/Curl': 'deny' }).rule, 'deny');
    assert.equal(judge('echo push', rules).rule, 'ask');
  });

  it('denies words in their order alone, and each of them as often as the rule has it', () => {
    const rules: Record<string, ToolRule> = { 'git push origin': 'deny', 'make all all': 'deny' };
    assert.equal(judge('git push --force origin', rules).rule, 'deny');
    assert.equal(judge('make all -k all', rules).rule, 'deny');
    for (const line of ['git origin push', 'make all']) assert.equal(judge(line, rules).rule, 'ask', line);
  });

  it('asks about each command of a line, and takes a rule for a line for none of its commands', () => {
    const asked = judge('npm test && make all', { make: 'ask' }, ['npm test', 'make all']);
    assert.deepEqual(asked, { rule: 'ask', why: { type: 'asked', command: 'make' } });
    assert.equal(judge('npm test', {}, ['npm test && make all']).rule, 'ask');
  });

  it('asks about Git where one of the words may write, whatever the others are', () => {
    const line = 'git branch -a new';
    const why = { type: 'git', command: 'git branch' };
    assert.deepEqual(judge(line, {}, [line]), { rule: 'ask', why });
  });

  it('takes a line for plain only where its quotes hold nothing that a shell replaces', () => {
    for (const line of ['npm test "a!b"', 'npm test "$a"', 'npm test "`a`"']) {
      assert.deepEqual(judge(line, {}, [line]), { rule: 'ask', why: { type: 'not-plain' } }, line);
    }
  });

  it('takes a line for plain only where nothing stands beside its words and joiners', () => {
    for (const line of [
      ...[
        'npm test # a',
        'npm test &',
        'npm test\nls',
        '! npm test',
        'A=1 npm test',
        'npm test > a',
        'npm test |& ls',
      ],
      ...["npm test 'a\u0007b'", 'npm\u00a0test', '=npm test', "'npm' test", '\u0435cho a', 'npm test )'],
      `${'ls; '.repeat(50)}ls`,
    ])
      assert.deepEqual(judge(line, {}, [line]), { rule: 'ask', why: { type: 'not-plain' } }, line);
    const most = `${'ls; '.repeat(49)}ls`;
    assert.equal(judge(most, {}, [most]).rule, 'allow');
  });

  it('asks about programs however they are written', () => {
    for (const [line, type, command] of [
      ['python3.12 a.py', 'runs-code', 'python3.12 a.py'],
      ['dir\\node.exe a', 'runs-code', undefined],
      ['NODE.exe a', 'runs-code', 'NODE.exe a'],
      ['cat https://example.com', 'network', 'cat https://example.com'],
      ['cd', 'runs-code', 'cd'],
      ['cd -', 'runs-code', 'cd -'],
      ['cd a b', 'runs-code', 'cd a'],
      ['npm', 'network', 'npm'],
      ['git stash', 'git', 'git stash'],
      ['go run example.com/a@latest', 'network', 'go run'],
    ] as const) {
      const why = command === undefined ? { type: 'not-plain' } : { type, command };
      assert.deepEqual(judge(line, {}, [line]), { rule: 'ask', why }, line);
    }
    assert.equal(judge('.com a', {}, ['.com a']).rule, 'allow');
    assert.equal(judge('pytest -- -o', {}, ['pytest *']).rule, 'ask');
  });

  it('offers a beginning for one command that may have more words', () => {
    const offered = (line: string) => {
      const verdict = judge(line);
      return 'beginning' in verdict ? verdict.beginning : undefined;
    };
    assert.equal(offered('npm test -- -x'), 'npm test *');
    assert.equal(offered('pytest tests/a.py'), 'pytest *');
    assert.equal(offered('tsc --noEmit -p a'), 'tsc *');
    assert.equal(offered('npm run build --if-present'), 'npm run build *');
    assert.equal(offered('cargo run release'), 'cargo run release *');
    for (const line of [
      'npm test && npm run lint',
      'npm test | head',
      'cd src',
      'find . -name a',
      'rg a src',
      'make CC=a',
    ]) {
      assert.equal(judge(line).rule, 'ask');
      assert.equal(offered(line), undefined, line);
    }
  });

  it('allows nothing for a shell whose grammar is not known, but denies there', () => {
    const foreign = {
      rules: { dir: 'allow', del: 'deny' },
      allowed: ['dir'],
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
