import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolDependencies, workspaceTools } from '../../../src/tools/allTools.ts';
import { nodeFileSystem } from '../../../src/tools/files/nodeFileSystem.ts';
import { ToolSet } from '../../../src/tools/toolSet.ts';
import { MemoryWorkspace } from '../../support/memoryWorkspace.ts';

const { signal } = new AbortController();

describe('tools: the file policy on a real disk', () => {
  let base: string;
  let workspace: MemoryWorkspace;
  let tools: ToolSet;
  let deps: ReturnType<typeof createToolDependencies>;

  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-policy-')));
    mkdirSync(join(base, 'work', 'sub'), { recursive: true });
    mkdirSync(join(base, 'outside'));
    writeFileSync(join(base, 'outside', 'inner.txt'), 'outside secret');
    writeFileSync(join(base, 'work', 'a.txt'), 'inside');
    writeFileSync(join(base, 'work', 'sub', 'inner.txt'), 'inside too');
    workspace = new MemoryWorkspace({}, nodeFileSystem);
    workspace.folderList = [{ name: 'work', path: join(base, 'work'), isVirtual: false }];
    deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
    tools = new ToolSet(workspaceTools(deps));
  });
  afterEach(() => rmSync(base, { recursive: true }));

  const inWork = (...names: string[]) => join(base, 'work', ...names);

  async function read(path: string): Promise<string> {
    const call = tools.prepare({ name: 'read_file', input: { path } });
    assert.ok(!('problem' in call));
    return (await call.run({ signal })).content;
  }

  it('refuses what a prompt injection asks for', async () => {
    writeFileSync(inWork('.env'), 'KEY=1');
    symlinkSync('/etc/passwd', inWork('passwd'));
    symlinkSync(join(base, 'outside'), inWork('linked'));
    symlinkSync('.env', inWork('readme.txt'));
    symlinkSync('loop', inWork('loop'));
    for (const path of [
      '../outside/inner.txt',
      'passwd',
      'linked/inner.txt',
      '.env',
      'readme.txt',
      '~/.ssh/id_rsa',
      '/etc/passwd',
      join(base, 'outside', 'inner.txt'),
      'sub/../../outside/inner.txt',
      '/proc/self/environ',
      '/proc/self/root/etc/passwd',
      '/dev/stdin',
    ]) {
      assert.match(await read(path), /^Refused: /, path);
    }
    assert.match(await read('loop'), /leads nowhere or in a circle/);
    assert.match(await read('a.txt'), /1\tinside/);
  });

  it('opens a workspace that is itself reached by a link', async () => {
    symlinkSync(join(base, 'work'), join(base, 'alias'));
    workspace.folderList = [{ name: 'alias', path: join(base, 'alias'), isVirtual: false }];
    assert.match(await read('a.txt'), /^a\.txt, .*\n1\tinside$/);
    assert.match(await read(join(base, 'work', 'a.txt')), /^Refused|1\tinside/);
  });

  it('does not wait for a pipe, nor read a device', async function () {
    if (process.platform === 'win32') this.skip();
    execFileSync('/bin/sh', ['-c', 'command -p mkfifo "$0"', inWork('pipe')]);
    assert.match(await read('pipe'), /is not a file/);
  });

  it('keeps the system closed, also where it is opened as the workspace', async function () {
    if (process.platform !== 'linux') this.skip();
    const policyIn = (path: string) => {
      workspace.folderList = [{ name: 'root', path, isVirtual: false }];
      return deps.policy;
    };
    const reasonOf = async (folder: string, path: string) => {
      const verdict = await policyIn(folder).check(path, 'read');
      return verdict.isAllowed ? verdict.realPath : verdict.reason;
    };
    assert.equal(await reasonOf('/', 'etc/hostname'), 'whole-system');
    assert.equal(await reasonOf('/', 'proc/self/environ'), 'whole-system');
    assert.equal(await reasonOf('/proc', 'self/environ'), 'system');
    assert.equal(await reasonOf('/proc/self', 'cmdline'), 'system');
    assert.equal(await reasonOf('/dev', 'null'), 'system');
    assert.equal(await reasonOf('/sys', 'kernel/ostype'), 'system');
    symlinkSync('/proc/self', join(base, 'process'));
    assert.equal(await reasonOf(join(base, 'process'), 'environ'), 'system');
    const whole = await policyIn('/').check('.', 'list');
    assert.ok(!whole.isAllowed);
    assert.match(whole.forModel, /open the folder of the project/);
  });

  it('reads no file under a harmless name that is refused, or not here, under another', async () => {
    writeFileSync(inWork('.env'), 'KEY=1');
    mkdirSync(inWork('.ssh'));
    writeFileSync(inWork('.ssh', 'config'), 'Host secret');
    writeFileSync(inWork('.gitignore'), 'ignored/');
    mkdirSync(inWork('ignored'));
    writeFileSync(inWork('ignored', 'x'), 'ignored');
    linkSync(inWork('.env'), inWork('env.txt'));
    linkSync(inWork('.ssh', 'config'), inWork('sub', 'notes.md'));
    linkSync(inWork('ignored', 'x'), inWork('x.txt'));
    linkSync(join(base, 'outside', 'inner.txt'), inWork('outside.txt'));
    for (const path of ['env.txt', 'sub/notes.md', 'x.txt', 'outside.txt']) {
      assert.match(await read(path), /^Refused: .* is a hard link/, path);
      assert.equal((await deps.policy.check(path, 'edit')).isAllowed, false);
      assert.equal((await deps.policy.attach(path)).isAllowed, false);
    }
    linkSync(inWork('a.txt'), inWork('sub', 'b.txt'));
    assert.match(await read('sub/b.txt'), /1\tinside/);
    renameSync(inWork('a.txt'), inWork('a.pem'));
    assert.match(await read('sub/b.txt'), /^Refused/);
  });

  it('asks before it edits a protected file under another name', async () => {
    mkdirSync(inWork('.vscode'));
    writeFileSync(inWork('.vscode', 'tasks.json'), '{}');
    linkSync(inWork('.vscode', 'tasks.json'), inWork('tasks.txt'));
    const verdict = await deps.policy.check('tasks.txt', 'edit');
    assert.equal(verdict.isAllowed && verdict.protection, 'editor');
  });

  it('reads nothing that was swapped in after the check: the file', async () => {
    const file = await deps.policy.check('a.txt', 'read');
    assert.ok(file.isAllowed);
    rmSync(inWork('a.txt'));
    symlinkSync(join(base, 'outside', 'inner.txt'), inWork('a.txt'));
    assert.ok('reason' in (await deps.policy.open(file)));
    const again = await deps.policy.recheck(file);
    assert.equal(!again.isAllowed && again.reason, 'outside');
  });

  it('reads nothing that was swapped in after the check: a folder above', async () => {
    const file = await deps.policy.check('sub/inner.txt', 'read');
    assert.ok(file.isAllowed);
    renameSync(inWork('sub'), inWork('sub-before'));
    symlinkSync(join(base, 'outside'), inWork('sub'));
    const open = await deps.policy.open(file);
    assert.equal('reason' in open && open.reason, 'changed');
  });

  it('keeps reading what it opened when the name is swapped later', async () => {
    const file = await deps.policy.check('a.txt', 'read');
    assert.ok(file.isAllowed);
    const open = await deps.policy.open(file);
    assert.ok(!('reason' in open));
    rmSync(inWork('a.txt'));
    linkSync(join(base, 'outside', 'inner.txt'), inWork('a.txt'));
    const bytes = new Uint8Array(100);
    const length = await open.read(bytes, 0);
    await open.close();
    assert.equal(Buffer.from(bytes.subarray(0, length)).toString(), 'inside');
  });

  // Other systems don't tell an open file's path, so a window of microseconds remains there.
  const whereTold = process.platform === 'linux' ? it : () => {};
  whereTold('survives somebody who swaps all the time', async () => {
    const file = await deps.policy.check('sub/inner.txt', 'read');
    assert.ok(file.isAllowed);
    renameSync(inWork('sub'), inWork('real'));
    symlinkSync(join(base, 'work', 'real'), inWork('sub'));
    let isOutside = false;
    const race = { isOn: true };
    const swapping = (async () => {
      while (race.isOn) {
        rmSync(inWork('sub'));
        if (isOutside) renameSync(inWork('real'), inWork('sub'));
        else symlinkSync(join(base, 'outside'), inWork('sub'));
        await new Promise(setImmediate);
        if (isOutside) renameSync(inWork('sub'), inWork('real'));
        else rmSync(inWork('sub'));
        symlinkSync(join(base, 'outside'), inWork('sub'));
        isOutside = !isOutside;
        await new Promise(setImmediate);
      }
    })();
    for (let round = 0; round < 2000; round++) {
      const open = await deps.policy.open(file);
      if ('reason' in open) continue;
      const bytes = new Uint8Array(100);
      const length = await open.read(bytes, 0);
      await open.close();
      assert.equal(Buffer.from(bytes.subarray(0, length)).toString(), 'inside too');
    }
    race.isOn = false;
    await swapping;
  });
});
