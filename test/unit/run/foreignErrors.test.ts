import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { thrownBy, traceChildProcesses } from '../../host/foreignErrors.ts';
import { cacheFolder, root } from '../../host/paths.ts';

const thrownIn = (...files: string[]) =>
  Object.assign(new Error('spawn git ENOENT'), {
    stack: [
      'Error: spawn git ENOENT',
      '    at ChildProcess._handle.onexit (node:internal/child_process:285:19)',
      ...files.map((file, index) =>
        index % 2 ? `    at ${file}:3:14` : `    at async Git.run (${file}:1:20)`,
      ),
    ].join('\n'),
  });

describe('errors in the extension host', () => {
  const editor = join(cacheFolder, 'code-server-1', 'out', 'extensionHostProcess.js');
  const ours = join(root, 'dist', 'extension.mjs');

  it('are ours if any file of ours is in the stack, also where the editor called it', () => {
    assert.equal(thrownBy(thrownIn(editor, ours)), 'us');
    assert.equal(thrownBy(thrownIn(pathToFileURL(ours).href)), 'us');
    assert.equal(thrownBy(new Error('here')), 'us');
  });

  it('are of others if VS Code or another extension threw them', () => {
    assert.equal(thrownBy(thrownIn(editor)), 'others');
    assert.equal(thrownBy(thrownIn(editor, pathToFileURL(editor).href)), 'others');
    assert.equal(thrownBy(thrownIn(`${root}-other/main.js`)), 'others');
  });

  it('are told apart in the stacks that VS Code writes, too', () => {
    const written = (...files: string[]) => {
      const error = thrownIn(...files);
      return Object.assign(error, { stack: error.stack.replaceAll(/^ +/gm, '\t') });
    };
    assert.equal(thrownBy(written(editor)), 'others');
    assert.equal(thrownBy(written(editor, ours)), 'us');
  });

  it('are of nobody known if no file is in the stack', () => {
    assert.equal(thrownBy(thrownIn()), 'unknown');
    assert.equal(thrownBy('a text'), 'unknown');
  });

  it('tell who started the process that is missing', async () => {
    traceChildProcesses();
    const child = spawn(join(root, 'no-such-program'));
    const [error] = await once(child, 'error');
    assert.equal(thrownBy(error), 'us');
    assert.doesNotMatch(error.stack, /started\s+at .*foreignErrors\.ts/);
  });
});
