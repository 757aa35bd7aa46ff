import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isCancelled } from '../../../src/base/errors/errors.ts';
import { knowledgeServerName } from '../../../src/clients/knowledgeServer.ts';
import { tryServer } from '../../../src/clients/tryServer.ts';
import { createScratch, type Scratch } from '../../host/scratch.ts';
import { eventually } from '../../support/eventually.ts';

const noWindow = 'No window answers.';

/** A server that answers every request with the result of its method. */
function serverWith(results: Record<string, object>): string {
  return `
    import { createInterface } from 'node:readline';
    import { writeFileSync } from 'node:fs';
    const results = ${JSON.stringify(results)};
    console.log('not a message');
    createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message' }));
      if (id !== undefined && results[method]) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
    });
    process.on('SIGTERM', () => { writeFileSync('ended', ''); process.exit(); });
    writeFileSync('environment.json', JSON.stringify(process.env));
  `;
}

const good = {
  initialize: {},
  'tools/list': { tools: [{ name: 'search_knowledge' }, { name: 'read_source' }] },
  'tools/call': { content: [{ type: 'text', text: 'There is no source [1].' }], isError: true },
};

describe('trying a knowledge server', function () {
  this.timeout(30_000);
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await createScratch();
  });
  afterEach(() => scratch.remove());

  async function attempt(
    source: string,
    { signal = new AbortController().signal, command = process.execPath } = {},
  ) {
    const script = join(scratch.folder, 'server.mjs');
    await writeFile(script, source);
    const server = { name: knowledgeServerName, command, args: [script, 'id-1'] } as const;
    return tryServer(server, { folder: scratch.folder, noWindow, signal });
  }

  it('lists its tools, says that a window answers, and ends it', async () => {
    const tried = await attempt(serverWith(good));
    assert.deepEqual(tried, { tools: ['search_knowledge', 'read_source'], hasWindow: true });
    if (process.platform !== 'win32')
      await eventually(() => assert.ok(existsSync(join(scratch.folder, 'ended'))));
  });

  it('says that no window answers', async () => {
    const content = [{ type: 'text', text: `${noWindow} Open one.` }];
    const tried = await attempt(serverWith({ ...good, 'tools/call': { content, isError: true } }));
    assert.equal(tried.hasWindow, false);
  });

  it('fails if the program that runs it is not there, ends at once, or answers something else', async () => {
    const nowhere = join(scratch.folder, 'nothing');
    await assert.rejects(attempt('', { command: nowhere }), { code: 'transient' });
    await assert.rejects(attempt('process.exit(1)'), { code: 'transient' });
    const odd = serverWith({ ...good, 'tools/list': { tools: [{}] } });
    await assert.rejects(attempt(odd), { code: 'transient' });
  });

  it('ends with the user’s cancelling', async () => {
    const controller = new AbortController();
    const pending = attempt(serverWith({}), { signal: controller.signal });
    await eventually(() => assert.ok(existsSync(join(scratch.folder, 'environment.json'))));
    controller.abort();
    await assert.rejects(pending, (error) => isCancelled(error));
  });
});
