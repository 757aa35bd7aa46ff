import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import {
  TerminalCommands,
  type TerminalExecution,
  type UserTerminal,
} from '../../../../src/tools/command/terminalCommands.ts';

const bash: UserTerminal = { name: 'bash', shellIntegration: {} };

/** A command whose output came in these pieces. */
function execution(line: string, ...pieces: string[]): TerminalExecution {
  async function* read() {
    yield* pieces;
  }
  return { commandLine: { value: line }, read };
}

async function ran(line: string, pieces: string[], code: number | undefined = 0) {
  const commands = new TerminalCommands();
  const command = execution(line, ...pieces);
  commands.began(bash, command);
  await new Promise(setImmediate);
  commands.ended(bash, command, code);
  return commands;
}

describe('commands in terminals of the user', () => {
  it('are given with their exit code and their output, without escape sequences', async () => {
    const commands = await ran(
      'npm test',
      ['\x1b]633;C\x07\x1b[31m1 fai', 'led\x1b[0m\r\n', ' 10 %\r 100 %\r\n\x1b]0;title\x07done\r\n'],
      1,
    );
    assert.equal(commands.lineIn(bash), 'npm test');
    assert.equal(commands.problemOf(bash), undefined);
    const { name, text } = commands.read(bash, [], {});
    assert.equal(name, 'npm test');
    assert.match(
      text,
      /^\$ npm test\nExit code 1\. Output:\n<output-\w+>\n1 failed\n 100 %\ndone\n<\/output-\w+>$/,
    );
  });

  it('are the last of each terminal, still running or not', async () => {
    const commands = await ran('first', ['one']);
    const other: UserTerminal = { name: 'zsh', shellIntegration: {} };
    const first = execution('second', 'two');
    commands.began(bash, first);
    commands.began(other, execution('third', 'three'));
    await new Promise(setImmediate);
    assert.match(commands.read(bash, [], {}).text, /^\$ second\nStill running\. Output so far:\n[^]*two/);
    assert.match(commands.read(other, [], {}).text, /^\$ third/);
    // The end of a command that is not the last one is no news.
    commands.ended(bash, execution('first'), 1);
    assert.match(commands.read(bash, [], {}).text, /Still running/);
    commands.ended(bash, first, undefined);
    assert.match(commands.read(bash, [], {}).text, /exit code is not known/);
  });

  it('have their secrets masked, in the line and in the output', async () => {
    const key = 'relay-key-0123456789abcdef';
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const commands = await ran(`curl -H ${key}`, [`key ${key}\n`, `token ${token}\n`, 'word hunter2!\n']);
    const { name, text } = commands.read(bash, [key], { MY_PASSWORD: 'hunter2!' });
    for (const secret of [key, token, 'hunter2!']) assert.ok(!`${name}${text}`.includes(secret), secret);
    assert.match(text, /key \*\*\*/);
    assert.match(text, /token \[redacted secret\]/);
  });

  it('are kept with the beginning and the end of a long output', async () => {
    const lines = Array.from({ length: 200_000 }, (_, n) => `line ${n}\n`);
    const pieces = Array.from({ length: 200 }, (_, n) => lines.slice(n * 1000, (n + 1) * 1000).join(''));
    const commands = await ran('yes', pieces);
    const { text } = commands.read(bash, [], {});
    assert.ok(text.length < 22_000, String(text.length));
    assert.match(
      text,
      /The output has 2\d{6} characters\. Its beginning and its end are here; the rest was not kept\./,
    );
    assert.match(text, /line 0\n[^]*line 199999\n/);
  });

  it('say why there is none, and what to do', async () => {
    const commands = new TerminalCommands();
    assert.match(commands.problemOf(undefined) ?? '', /^No terminal is open\./);
    assert.match(commands.problemOf(bash) ?? '', /^No command has run in bash since Switchboard started\./);
    assert.match(commands.problemOf({ name: 'sh' }) ?? '', /^Shell integration isn't active in sh\./);
    assert.equal(commands.lineIn(bash), undefined);
    assert.throws(() => commands.read(bash, [], {}), SwitchboardError);
  });

  it('keep what they gave where the terminal is closed', async () => {
    const commands = new TerminalCommands();
    async function* read() {
      yield 'some';
      throw new Error('closed');
    }
    commands.began(bash, { commandLine: { value: 'x' }, read });
    await new Promise(setImmediate);
    assert.match(commands.read(bash, [], {}).text, /some/);
  });
});
