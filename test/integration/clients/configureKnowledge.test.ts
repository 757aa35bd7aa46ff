import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { FileProblem } from '../../../src/clients/clientFiles.ts';
import { knowledgePrograms } from '../../../src/clients/clientPrograms.ts';
import {
  type ConfiguredKnowledge,
  configureKnowledge,
  type ConfigureKnowledgeDependencies,
  isConfigured,
  removeKnowledge,
  undoKnowledge,
} from '../../../src/clients/configureKnowledge.ts';
import { knowledgeServer } from '../../../src/clients/knowledgeServer.ts';
import { createScratch, type Scratch } from '../../host/scratch.ts';

describe('configuring a program for knowledge', () => {
  let scratch: Scratch;
  /** Names of steps in their order. */
  let done: string[];
  beforeEach(async () => {
    scratch = await createScratch();
    done = [];
  });
  afterEach(() => scratch.remove());

  const state = () => join(scratch.folder, '.claude.json');
  const read = (path: string) => readFile(path, 'utf8');
  const note = (what: string) => async () => void done.push(what);

  function dependencies(more: Partial<ConfigureKnowledgeDependencies> = {}): ConfigureKnowledgeDependencies {
    return {
      dialogs: {
        async confirmChanges(_, [change]) {
          done.push('asked');
          assert.ok(change);
          return true;
        },
      },
      prepare: async ({ id }) => ({
        server: knowledgeServer('/s/bridge.mjs', `of-${id}`, { execPath: '/code', isElectron: true }, true),
        confirm: note('confirmed'),
        withdraw: note('withdrawn'),
        remove: note('removed'),
      }),
      tryServer: async () => ({ tools: ['search_knowledge'], hasWindow: true }),
      objectionTo: () => undefined,
      now: () => new Date('2026-11-23T11:00:00Z'),
      ...more,
    };
  }

  async function configure(
    id = 'claude-code',
    more?: Partial<ConfigureKnowledgeDependencies>,
  ): Promise<ConfiguredKnowledge | undefined> {
    const program = knowledgePrograms.find((each) => each.id === id);
    assert.ok(program);
    const machine = { home: scratch.folder, environment: {}, exists: existsSync };
    return configureKnowledge(dependencies(more), program, machine);
  }

  async function configured(...args: Parameters<typeof configure>): Promise<ConfiguredKnowledge> {
    const outcome = await configure(...args);
    assert.ok(outcome);
    return outcome;
  }

  for (const { id } of knowledgePrograms) {
    it(`writes the file of ${id}, and leaves no trace when undone`, async () => {
      const outcome = await configured(id);
      assert.deepEqual(done, ['asked', 'confirmed']);
      assert.equal(outcome.tried?.hasWindow, true);
      assert.equal(await isConfigured(outcome.file), true);
      assert.equal(await undoKnowledge(dependencies(), outcome), 'restored');
      assert.deepEqual(await readdir(scratch.folder), []);
      assert.equal(await isConfigured(outcome.file), false);
      assert.equal(done.at(-1), 'withdrawn');
    });
  }

  it('gives the window and the file nothing before the user agreed', async () => {
    const outcome = await configure('codex', { dialogs: { confirmChanges: async () => false } });
    assert.equal(outcome, undefined);
    assert.deepEqual([done, await readdir(scratch.folder)], [[], []]);
  });

  it('asks nothing if the entry is there, and still has the window listen', async () => {
    await configured();
    done = [];
    const again = await configured();
    assert.deepEqual([done, again.written], [['confirmed'], []]);
  });

  it('takes only the entry out of a file that the program has rewritten since', async () => {
    await writeFile(state(), '{\n  "numStartups": 1\n}\n');
    const outcome = await configured();
    const { mcpServers } = JSON.parse(await read(state())) as { mcpServers: object };
    await writeFile(state(), JSON.stringify({ numStartups: 2, mcpServers: { ...mcpServers, other: {} } }));
    assert.equal(await undoKnowledge(dependencies(), outcome), 'entryRemoved');
    assert.deepEqual(JSON.parse(await read(state())), { numStartups: 2, mcpServers: { other: {} } });
    assert.equal(done.at(-1), 'withdrawn');
  });

  it('makes no file anew that is gone when it is undone', async () => {
    const outcome = await configured();
    await rm(state());
    await undoKnowledge(dependencies(), outcome);
    assert.ok(!existsSync(state()));
  });

  it('undoes nothing while the file has unsaved changes', async () => {
    const outcome = await configured();
    const objectionTo = (path: string) => new FileProblem(path, 'unsaved');
    await assert.rejects(undoKnowledge(dependencies({ objectionTo }), outcome), /unsaved/);
    assert.equal(await isConfigured(outcome.file), true);
    assert.ok(!done.includes('withdrawn'));
  });

  it('removes the entry after a question, and the program with it', async () => {
    await writeFile(state(), '{\n  "numStartups": 1,\n  "mcpServers": {}\n}\n');
    const outcome = await configured();
    const refused = dependencies({ dialogs: { confirmChanges: async () => false } });
    assert.equal(await removeKnowledge(refused, outcome), false);
    assert.equal(await isConfigured(outcome.file), true);
    assert.ok(!done.includes('removed'));
    assert.equal(await removeKnowledge(dependencies(), outcome), true);
    assert.equal(done.at(-1), 'removed');
    assert.deepEqual(JSON.parse(await read(state())), { numStartups: 1, mcpServers: {} });
    assert.equal(await removeKnowledge(dependencies(), outcome), false, 'without an entry');
  });

  it('stays configured when the server could not be tried', async () => {
    const tryServer = async () => {
      throw new SwitchboardError('transient', 'It did not start.');
    };
    const outcome = await configured('codex', { tryServer });
    assert.equal(outcome.failure?.message, 'It did not start.');
    assert.equal(outcome.tried, undefined);
    assert.equal(await isConfigured(outcome.file), true);
  });

  it("writes no file that the program doesn't read, and says why", async () => {
    const file = join(scratch.folder, '.cline', 'data', 'settings', 'cline_mcp_settings.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '\uFEFF{}');
    await assert.rejects(configure('cline'), /byte order mark/);
    assert.equal(await read(file), '\uFEFF{}');
    await writeFile(state(), '\uFEFF{}');
    await configured();
    assert.match(await read(state()), /^\uFEFF\{/);
    assert.deepEqual(done, ['asked', 'confirmed']);
  });
});
