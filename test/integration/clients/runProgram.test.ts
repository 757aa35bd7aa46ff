import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { ClientProgram } from '../../../src/clients/clientProgram.ts';
import { isInstalled, runCheck } from '../../../src/clients/runProgram.ts';
import { createScratch, type Scratch } from '../../host/scratch.ts';
import { eventually } from '../../support/eventually.ts';

describe('running a program of others once', () => {
  let scratch: Scratch;
  const path = process.env['PATH'];
  before(async () => {
    scratch = await createScratch();
    const script = join(scratch.folder, 'made-up');
    await writeFile(script, '#!/bin/sh\n[ -z "$GONE" ] || exit 3\necho noise >&2\nprintf "%s" "$WORDS"\n');
    await chmod(script, 0o755);
    const endless = join(scratch.folder, 'endless');
    await writeFile(endless, '#!/bin/sh\n: > "$BEGUN"\nexec sleep 600\n');
    await chmod(endless, 0o755);
    process.env['PATH'] = `${scratch.folder}${delimiter}${path}`;
    process.env['GONE'] = 'of the shell';
  });
  after(async () => {
    process.env['PATH'] = path;
    delete process.env['GONE'];
    await scratch?.remove();
  });

  const run = (asksModel: boolean, variables: Record<string, string | null>) => {
    const program = { command: 'made-up', check: { arguments: ['hi'], asksModel } };
    return runCheck(program as unknown as ClientProgram, variables, new AbortController().signal);
  };

  it('finds what a shell would find', () => {
    assert.ok(isInstalled({ command: 'made-up' }));
    assert.ok(!isInstalled({ command: 'made-up-not' }));
    assert.ok(!isInstalled({}));
  });

  it('is ended when the user stops it', async () => {
    const begun = join(scratch.folder, 'begun');
    const program = { command: 'endless', check: { arguments: [], asksModel: true } };
    const stop = new AbortController();
    const running = runCheck(program as unknown as ClientProgram, { BEGUN: begun }, stop.signal);
    await eventually(() => assert.ok(existsSync(begun)));
    stop.abort();
    await assert.rejects(running, { name: 'AbortError' });
  });

  it('counts text alone as an answer, with its variables set and those cleared that would add a key', async () => {
    assert.equal(await run(true, { WORDS: 'hello', GONE: null }), true);
    assert.equal(await run(true, { WORDS: '', GONE: null }), false);
    assert.equal(await run(false, { WORDS: '', GONE: null }), true);
    assert.equal(await run(true, { WORDS: 'hello' }), false);
  });
});
