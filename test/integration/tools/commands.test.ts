import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BackgroundCommand,
  type Commands,
  type CommandsDependencies,
  type EndedCommand,
  OutputFiles,
  type RunningCommand,
} from '../../../src/tools/command/commands.ts';
import { CommandProcess } from '../../../src/tools/command/commandProcess.ts';
import { commandsUnderTest } from '../../support/commandParts.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manualClock.ts';

const never = new AbortController().signal;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('commands of models, in real processes', function () {
  this.timeout(120_000);
  let folder: string;
  let all: Commands[];

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-commands-')));
    all = [];
  });
  afterEach(() => {
    for (const commands of all) commands.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function setUp(deps: Partial<CommandsDependencies> = {}) {
    const views: RunningCommand[] = [];
    let seen = '';
    const commands = commandsUnderTest({
      outputFolder: join(folder, 'outputs'),
      view(command) {
        views.push(command);
        return { show: (text) => void (seen = (seen + text).slice(-10_000)), end() {}, reveal: () => true };
      },
      ...deps,
    });
    all.push(commands);
    const ended: EndedCommand[] = [];
    commands.onDidEndInBackground((each) => ended.push(each));
    const started: BackgroundCommand[] = [];
    commands.onDidGoToBackground((each) => started.push(each));
    const run = (
      line: string,
      { timeoutMs = 30_000, isBackground = false, hasInput = false, signal = never } = {},
    ) => commands.run({ line, folder, timeoutMs, isBackground, hasInput, conversationId: 'chat' }, signal);
    return { commands, run, views, started, ended, seen: () => seen };
  }

  it('gives the exit code first, then what was printed in its order', async () => {
    const { run } = setUp();
    const good = await run('echo out; echo err >&2; echo out again');
    assert.match(good.content, /^Exit code 0\.\n<output-\w+>\nout\nerr\nout again\n<\/output-\w+>$/);
    assert.equal(good.isError, false);
    const bad = await run('echo broken; exit 3');
    assert.match(bad.content, /^Exit code 3\.\n<output-\w+>\nbroken\n/);
    assert.equal(bad.isError, true);
    assert.match((await run('kill -9 $$')).content, /^Ended by SIGKILL\.\n\[no output\]$/);
    await assert.rejects(
      commandsUnderTest({}).run(
        {
          line: 'ls',
          folder: join(folder, 'missing'),
          timeoutMs: 1,
          isBackground: false,
          hasInput: false,
          conversationId: undefined,
        },
        never,
      ),
      /could not be started/,
    );
  });

  it('tells the newest lines of what runs, clean and at times, and reveals its terminal by the call', async () => {
    const told: string[] = [];
    const key = 'sk-0123456789abcdef';
    const { commands } = setUp({ secrets: async () => [key] });
    const run = (callId: string, line: string, isBackground = false) =>
      commands.run(
        {
          ...{
            line,
            folder,
            timeoutMs: 30_000,
            isBackground,
            hasInput: false,
            conversationId: 'chat',
            callId,
          },
          onOutput: (lines) => void told.push(lines),
        },
        never,
      );
    assert.equal(commands.reveal('call'), false);
    writeFileSync(join(folder, 'wait'), '');
    const running = run(
      'call',
      `for each in u v w x y z; do echo $each; done; echo ${key}; while [ -f wait ]; do sleep 0.02; done`,
    );
    await eventually(() => assert.equal(told.at(-1), 'v\nw\nx\ny\nz\n***'));
    assert.deepEqual([told[0], told.length <= 3], ['', true]);
    assert.equal(commands.reveal('call'), true);
    rmSync(join(folder, 'wait'));
    await running;
    const { length } = told;
    await run('later', 'echo hidden; sleep 0.4', true);
    await eventually(() => assert.equal(commands.reveal('later'), true));
    assert.equal(told.length, length + 1, 'in the background only its start');
  });

  it('has no input and no terminal to ask at, its own folder, and no key in its environment', async () => {
    const key = 'sk-0123456789abcdef';
    const env = {
      PATH: process.env['PATH'],
      SWITCHBOARD_RELAY_KEY: 'sk-other-key',
      MY_KEY: key,
      GITHUB_TOKEN: 'plain words',
    };
    const { run } = setUp({ env: () => env, secrets: async () => [key] });
    const { content } = await run('cat; pwd; env; (: < /dev/tty) 2>&1 | head -1; echo sk-0123456789"abcdef"');
    assert.ok(content.includes(`\n${folder}\n`) && content.includes('PAGER=cat'), content);
    assert.ok(!/sk-other|MY_KEY|0123456789/.test(content), content);
    assert.ok(content.includes('GITHUB_TOKEN=***'), content);
    assert.match(content, /tty: No such device/);
  });

  it('gives what the user types to a command that asks for input', async () => {
    const { run, views } = setUp();
    const result = run('read name; echo "hello $name"; cat', { hasInput: true });
    await eventually(() => assert.equal(views.length, 1));
    views[0]?.write('Ada\n');
    views[0]?.write('more\n');
    views[0]?.endInput();
    assert.match((await result).content, /\nhello Ada\nmore\n/);
  });

  it('lets a command that hangs go on in the background, reports its end once, and lets the user stop it', async () => {
    const clock = new ManualClock();
    const { run, commands, views, started, ended, seen } = setUp({ clock });
    const line = 'trap "echo bye; exit 4" TERM; echo waiting; while :; do sleep 0.05; done';
    const running = run(line, { timeoutMs: 30_000 });
    await eventually(() => assert.equal(seen(), 'waiting\n'));
    clock.advance(30_000);
    const { content, isError, isInBackground } = await running;
    assert.match(
      content,
      /^Still running after 30 s\. It goes on in the background as [0-9a-f]{8} \(process group \d+\)/,
    );
    assert.match(content, /\nwaiting\n/);
    assert.deepEqual([isError, isInBackground], [false, true]);
    assert.equal(ended.length, 0);
    const id = /as ([0-9a-f]{8})/.exec(content)?.[1] ?? '';
    assert.equal(await commands.output(`output:${id}`), 'waiting\n');
    views[0]?.stop();
    await eventually(() => assert.equal(ended.length, 1));
    assert.equal(ended[0]?.code, undefined);
    assert.deepEqual([started.map((each) => each.id), ended[0]?.conversationId], [[id], 'chat']);
    assert.match(
      ended[0]?.report ?? '',
      new RegExp(`^The command ${id} in the background \\(trap .*\\) has ended\\. The user stopped`),
    );
    assert.match((await commands.output(`output:${id}`)) ?? '', /^waiting\n(?:Terminated\n)?bye\n$/);
    assert.match(seen(), /waiting\n(?:Terminated\n)?bye\n/);
  });

  it('does not wait for a command in the background, and reports its exit code', async () => {
    const { run, ended } = setUp();
    const { content, isInBackground } = await run('read x; exit 7', { isBackground: true, hasInput: false });
    assert.equal(isInBackground, true);
    assert.match(content, /^Started in the background as [0-9a-f]{8}/);
    await eventually(() => assert.equal(ended[0]?.code, 7));
    assert.match(ended[0]?.report ?? '', /Exit code 7\./);
  });

  it('ends the whole group when the turn is stopped, also what does not want to end', async () => {
    const { run } = setUp();
    const abort = new AbortController();
    const pids = join(folder, 'pids');
    const line = `trap "" TERM; (trap "" TERM; sleep 60) & sleep 60 & echo $$ $! > ${pids}.tmp; mv ${pids}.tmp ${pids}; wait`;
    const result = run(line, { signal: abort.signal });
    await eventually(() => readFileSync(pids));
    const [shell = 0, child = 0] = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
    assert.ok(isRunning(shell) && isRunning(child));
    abort.abort();
    await assert.rejects(result, /abort/i);
    await eventually(() => assert.ok(!isRunning(shell) && !isRunning(child)));
  });

  it('ends with its shell: what that left running is ended, and said', async () => {
    const { run } = setUp();
    const { content } = await run('sleep 60 & echo $!');
    assert.match(content, /^Exit code 0\. Processes that it left running were ended/);
    const child = Number(/\n(\d+)\n/.exec(content)?.[1]);
    await eventually(() => assert.ok(!isRunning(child)));
  });

  it('does not wait for a daemon that keeps the pipe open', async () => {
    const { run } = setUp();
    const pid = join(folder, 'pid');
    // Not by `setsid`, which not every system has.
    const leave = [
      'const daemon = require("child_process").spawn("sleep", ["60"], { detached: true, stdio: "inherit" });',
      `require("fs").writeFileSync("${pid}", String(daemon.pid));`,
      'daemon.unref();',
    ];
    const { content } = await run(`"${process.execPath}" -e '${leave.join(' ')}' && echo started`);
    const daemon = Number(readFileSync(pid, 'utf8'));
    assert.ok(isRunning(daemon), 'what left the group is not of this command any more');
    process.kill(daemon);
    assert.match(content, /^Exit code 0\.\n<output-\w+>\nstarted\n/);
  });

  it('is sent nothing once its process has ended, whose id may be that of another', async () => {
    const clock = new ManualClock();
    const start = { line: 'true', folder, env: process.env, hasInput: false, onOutput: () => undefined };
    const command = new CommandProcess(start, clock);
    assert.deepEqual(await command.ended, { code: 0, leftOthers: false });
    assert.equal(clock.pending, 0);
    const sent: (string | number | undefined)[] = [];
    const { kill } = process;
    process.kill = (_pid, signal) => {
      sent.push(signal);
      return true;
    };
    try {
      command.stop();
      clock.advance(60_000);
    } finally {
      process.kill = kill;
    }
    assert.deepEqual(sent, []);
  });

  it('ends with the window', async () => {
    const { run, commands } = setUp();
    const { content } = await run('sleep 60', { isBackground: true });
    const group = Number(/group (\d+)/.exec(content)?.[1]);
    commands.dispose();
    await eventually(() => assert.ok(!isRunning(group)));
  });

  it('keeps a counted part of 400 MB, and lets the rest be read until newer ones come', async () => {
    const { run, commands } = setUp();
    const before = process.memoryUsage().rss;
    const { content } = await run('echo first; yes 0123456789 | head -c 400000000; echo; echo last', {
      timeoutMs: 110_000,
    });
    const grown = process.memoryUsage().rss - before;
    // The kept output is checked below; this allows for uncollected garbage.
    assert.ok(grown < 300_000_000, `${grown} bytes more`);
    assert.match(content, /^Exit code 0\.\nThe output has 400000012 characters/);
    assert.match(content, /\nfirst\n0123456789\n[^]*\nlast\n<\/output-\w+>$/);
    assert.ok(Buffer.byteLength(content) < 21_500);
    const path = /output:[0-9a-f]{8}/.exec(content)?.[0] ?? '';
    const kept = (await commands.output(path)) ?? '';
    assert.ok(kept.length < 2_200_000 && kept.endsWith('\nlast\n'));
    const files = () => readdirSync(join(folder, 'outputs'));
    assert.deepEqual(files(), [`${path.slice('output:'.length)}.txt`]);
    for (let n = 0; n < 20; n++) await run('yes | head -c 30000');
    assert.equal(files().length, 20);
    await assert.rejects(commands.output(path), /no output [0-9a-f]{8} any more/);
    assert.equal(await commands.output('../outputs'), undefined);
  });

  it('reads characters of several bytes however they arrive', async () => {
    const { run } = setUp();
    const { content } = await run(
      "printf '\\347'; sleep 0.05; printf '\\225\\214\\360\\237'; sleep 0.05; printf '\\216\\211'",
    );
    assert.match(content, /\n界🎉\n/);
  });

  it('runs nothing that a repository inside the workspace hides', async () => {
    const { run } = setUp();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
    git('init', '-q', '.');
    git('init', '-q', '--bare', 'docs');
    const mark = join(folder, 'ran');
    const monitor = join(folder, 'monitor.sh');
    writeFileSync(monitor, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    git('-C', 'docs', 'config', 'core.bare', 'false');
    git('-C', 'docs', 'config', 'core.worktree', join(folder, 'docs'));
    writeFileSync(join(folder, 'docs', 'page.md'), 'x');
    git('-C', 'docs', 'add', 'page.md');
    git('-C', 'docs', 'config', 'core.fsmonitor', monitor);
    const { content } = await run('cd docs && git status');
    assert.match(content, /cannot use bare repository/);
    assert.ok(!readdirSync(folder).includes('ran'));
  });

  it('runs a limited number at a time', async () => {
    const { run } = setUp();
    for (let n = 0; n < 8; n++) await run('sleep 60', { isBackground: true });
    await assert.rejects(run('echo a'), /8 commands are running already/);
  });
});

const dayMs = 24 * 60 * 60 * 1000;

describe('the outputs of commands that are kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-outputs-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are there for a week, for the user of the machine alone', async () => {
    const now = Date.now();
    const files = new OutputFiles(folder, () => now);
    for (const [id, days] of [
      ['0000000a', 7.1],
      ['0000000b', 6.9],
    ] as const) {
      await files.write(id, 'printed');
      const time = (now - days * dayMs) / 1000;
      await utimes(join(folder, `${id}.txt`), time, time);
    }
    await files.write('0000000c', 'printed');
    const read = ['0000000a', '0000000b', '0000000c'].map((id) => files.read(id));
    assert.deepEqual(await Promise.all(read), [undefined, 'printed', 'printed']);
    if (process.platform !== 'win32')
      assert.equal((await stat(join(folder, '0000000c.txt'))).mode & 0o777, 0o600);
  });
});
