import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from '../host/codeServer.ts';
import { root } from '../host/paths.ts';
import { startProcess } from '../host/processes.ts';
import { eventually } from '../support/eventually.ts';

describe('npm start', () => {
  it('starts the package in an editor, says where it is, and leaves nothing behind', async () => {
    const args = [join(root, 'test', 'main.mjs'), 'start', '--packaged'];
    const { child, ended, output, stop } = startProcess(process.execPath, args, {
      cwd: root,
      env: cleanEnvironment(),
    });
    try {
      await Promise.race([eventually(() => assert.match(output(), /Ctrl-C ends it\./)), ended]);
      const address = /Open in a browser:\s+(http:\S+)/.exec(output())?.[1] ?? assert.fail(output());
      const [, relay = '', platform = '', workspace = ''] =
        /Relay +(http:\S+) \(sandbox\)\nPlatform +(http:\S+) \(sandbox\)\nWorkspace +(\S+) /.exec(output()) ??
        assert.fail(output());
      const editor = await fetch(address);
      assert.equal(editor.status, 200);
      assert.match(await editor.text(), /workbench/);
      assert.ok(existsSync(join(workspace, 'README.md')));
      for (const service of [relay, platform]) assert.ok((await fetch(service)).status > 0);

      child.kill('SIGINT');
      assert.equal(await ended, 130);
      assert.ok(!existsSync(workspace));
      for (const gone of [address, relay, platform]) await assert.rejects(fetch(gone), /fetch failed/);
    } finally {
      await stop();
    }
  });
});
