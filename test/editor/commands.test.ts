import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { CommandTerminals } from '../../src/host/commands/commandTerminals.ts';
import { Commands, type EndedCommand } from '../../src/tools/command/commands.ts';
import { eventually } from '../support/eventually.ts';

describe('commands of models: in the editor', function () {
  this.timeout(60_000);
  let folder: string;
  let terminals: CommandTerminals;
  let commands: Commands;
  let ended: EndedCommand[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchboard-terminal-'));
    terminals = new CommandTerminals();
    ended = [];
    commands = new Commands({
      view: (command) => terminals.open(command),
      env: () => process.env,
      secrets: async () => [],
      outputFolder: join(folder, 'outputs'),
    });
    commands.onDidEndInBackground((each) => ended.push(each));
  });
  afterEach(async () => {
    commands.dispose();
    terminals.dispose();
    // The editor makes the next terminal the active one when an earlier one closes.
    await eventually(() => assert.deepEqual(shown(), []));
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (line: string, { isBackground = false, hasInput = false } = {}) =>
    commands.run(
      { line, folder, timeoutMs: 30_000, isBackground, hasInput, conversationId: 'chat', callId: 'call' },
      new AbortController().signal,
    );
  const shown = () =>
    vscode.window.terminals.filter(
      ({ creationOptions }) => 'pty' in creationOptions && creationOptions.name === 'Switchboard',
    );
  const only = async () => {
    await eventually(() => assert.equal(shown().length, 1));
    const [terminal] = shown();
    assert.ok(terminal);
    return terminal;
  };

  const showTerminal = () => {
    const pty = { onDidWrite: new vscode.EventEmitter<string>().event, open() {}, close() {} };
    const terminal = vscode.window.createTerminal({ name: 'Mine', pty });
    terminal.show();
    return terminal;
  };

  /** Collects what a terminal of ours shows from now on. */
  const followText = ({ creationOptions }: vscode.Terminal) => {
    let text = '';
    assert.ok('pty' in creationOptions);
    creationOptions.pty.onDidWrite((added) => (text += added));
    return () => text;
  };

  it('shows a command in a terminal, and the next one in the same when it has ended', async () => {
    assert.match((await run('echo hello')).content, /^Exit code 0\.[^]*hello/);
    const terminal = await only();
    assert.match((await run('echo again')).content, /again/);
    assert.equal(await only(), terminal);
    await run('sleep 60', { isBackground: true });
    await run('echo beside');
    await eventually(() => assert.equal(shown().length, 2));
  });

  it('leaves the terminal in the back until it is asked for', async () => {
    const active: unknown[] = [];
    const following = vscode.window.onDidChangeActiveTerminal((terminal) => active.push(terminal));
    // The editor makes the first one that is opened the active one, whoever opens it.
    const own = [1, 2].map(showTerminal);
    await eventually(() => assert.equal(vscode.window.activeTerminal, own[1]));
    active.length = 0;
    await run('echo hello');
    const terminal = await only();
    // The editor does what it is told in order, so that ours would have been shown before.
    own[0]?.show();
    await eventually(() => assert.equal(vscode.window.activeTerminal, own[0]));
    assert.deepEqual(active, [own[0]]);
    assert.equal(commands.reveal('call'), true);
    await eventually(() => assert.equal(vscode.window.activeTerminal, terminal));
    terminal.dispose();
    await eventually(() => assert.equal(commands.reveal('call'), false));
    following.dispose();
    for (const each of own) each.dispose();
    await eventually(() => assert.ok(own.every((each) => !vscode.window.terminals.includes(each))));
  });

  it('gives what is typed to a command that reads it, a line at a time', async () => {
    const result = run('read name; read other; echo "$name and $other" > typed', { hasInput: true });
    const terminal = await only();
    terminal.sendText('Adx\x7fa', false);
    terminal.sendText('');
    terminal.sendText('Grace');
    assert.match((await result).content, /^Exit code 0\./);
    assert.equal(readFileSync(join(folder, 'typed'), 'utf8'), 'Ada and Grace\n');
  });

  it('says once that a command takes no input, and gives it none', async () => {
    const result = run('read name; echo "Name: $name"; while [ ! -e go ]; do sleep 0.05; done');
    const terminal = await only();
    const written = followText(terminal);
    terminal.sendText('Ada');
    terminal.sendText('Grace');
    await eventually(() => assert.match(written(), /doesn't take input/));
    writeFileSync(join(folder, 'go'), '');
    const { content } = await result;
    assert.match(content, /Name: $/m);
    await eventually(() => assert.match(written(), /Exit code 0/));
    assert.equal(written().split("doesn't take input").length, 2);
  });

  it('stops a command by Ctrl+C, and by closing its terminal', async () => {
    const first = run('trap "echo stopped > first; exit" TERM; while :; do sleep 0.05; done');
    (await only()).sendText('\x03', false);
    assert.match((await first).content, /^The user stopped the command\./);
    assert.equal(readFileSync(join(folder, 'first'), 'utf8'), 'stopped\n');

    await run('sleep 60', { isBackground: true });
    (await only()).dispose();
    await eventually(() => assert.equal(ended.length, 1));
    assert.equal(ended[0]?.code, undefined);
    assert.match(ended[0]?.report ?? '', /The user stopped the command/);
  });

  it('keeps up with a command that prints more than can be shown', async () => {
    const result = run('yes | head -c 50000000');
    const written = followText(await only());
    const { content } = await result;
    // A slow machine prints less between two looks.
    await eventually(() => assert.match(written(), /\[\d+(\.\d+)? [KM]B of output not shown\]/));
    assert.match(content, /^Exit code 0\.\nThe output has 50000000 characters/);
  });
});
