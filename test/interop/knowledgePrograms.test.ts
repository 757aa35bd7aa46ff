import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { bundles } from '../../esbuild.mjs';
import { planChanges, writeChanges } from '../../src/clients/clientFiles.ts';
import { clientPrograms, knowledgePrograms } from '../../src/clients/clientPrograms.ts';
import {
  type ConfiguredKnowledge,
  configureKnowledge,
  undoKnowledge,
} from '../../src/clients/configureKnowledge.ts';
import type { Target } from '../../src/clients/clientProgram.ts';
import { knowledgeServer } from '../../src/clients/knowledgeServer.ts';
import { tryServer } from '../../src/clients/tryServer.ts';
import { noWindow } from '../../src/knowledgeServer/bridge/bridgeMessages.ts';
import { installBridge } from '../../src/knowledgeServer/bridgeScript.ts';
import { type Answer, fits } from '../../src/knowledgeServer/programAccess.ts';
import { root } from '../host/paths.ts';
import { createScratch, type Scratch } from '../host/scratch.ts';
import { type BridgeWindow, openBridgeWindow } from '../support/bridgeWindow.ts';
import { segment } from '../support/fakeSegments.ts';
import { relayOfSuite } from '../support/relayOfSuite.ts';
import { stopsOfTest } from '../support/stopsOfTest.ts';
import { knowledgeAsker } from './knowledgeAsker.ts';
import { runReal } from './realPrograms.ts';

const question = 'what is the speed limit in the basin?';

/** Arguments for one answer that lets the program call our tool, which some ask their user about. */
const asking: Record<string, readonly string[]> = {
  'claude-code': ['-p', question, '--allowedTools', 'mcp__switchboard-knowledge'],
  codex: ['exec', '--skip-git-repo-check', question],
  opencode: ['run', question],
  'qwen-code': ['-y', '-p', question],
  cline: [question],
  kilo: ['run', question],
  openclaw: ['agent', '--local', '--agent', 'main', '--message', question],
};

/** Too slow for more than the first question. */
const slow = new Set(['kilo', 'openclaw']);

const files = {
  '/work/docs/rules.md': '# Rules\n\nNo anchors.\n\nThe speed limit is three knots in the basin.\n',
  '/work/docs/tides.md': '# Tides\n\nSpring tides come two days after the full moon.\n',
};
const segments = [
  segment('tides.md', {
    content: 'Spring tides come two days after the full moon.',
    origin: { path: 'docs/tides.md' },
  }),
  segment('rules.md', {
    content: 'The speed limit is three knots in the basin.',
    origin: { path: 'docs/rules.md' },
  }),
];

describe('programs of others that search knowledge', function () {
  this.timeout(300_000);
  const { server: relay } = relayOfSuite({ models: [knowledgeAsker] });
  const { stops } = stopsOfTest();
  let built: Scratch;
  let home: string;
  before(async () => {
    built = await createScratch();
    await build({ ...bundles({ production: true }).bridge, absWorkingDir: root, outdir: built.folder });
  });
  after(() => built?.remove());
  beforeEach(async () => {
    const scratch = await createScratch();
    stops.push(() => scratch.remove());
    home = scratch.folder;
    await mkdir(join(home, 'work'));
  });

  const machine = () => ({ home, environment: {}, exists: existsSync });
  const kept = () => join(home, 'kept');
  const now = () => new Date();

  async function open(
    id: string,
    {
      answer = 'once',
      folder = 'work',
      openedAt = 1,
    }: { answer?: Answer; folder?: string; openedAt?: number } = {},
  ): Promise<BridgeWindow> {
    const name = knowledgePrograms.find((each) => each.id === id)?.name ?? '';
    await mkdir(join(home, folder), { recursive: true });
    const window = await openBridgeWindow(kept(), {
      ...{ segments, files, openedAt, folders: [join(home, folder)] },
      memory: {
        knowledgePrograms: [{ id: `of-${id}`, program: id, name, at: 0 }],
        knowledgeGrants: undefined,
      },
      ask: async () => answer,
    });
    stops.push(() => window.listener.dispose());
    return window;
  }

  /** @param configuration another program's, for a lie */
  async function configure(id: string, configuration = id): Promise<ConfiguredKnowledge> {
    const program = knowledgePrograms.find((each) => each.id === id);
    assert.ok(program);
    await useRelay(id);
    const script = await installBridge(join(built.folder, 'knowledgeBridge.mjs'), kept());
    const runtime = { execPath: process.execPath, isElectron: false };
    const outcome = await configureKnowledge(
      {
        dialogs: { confirmChanges: async () => true },
        objectionTo: () => undefined,
        prepare: async () => ({
          server: knowledgeServer(script, `of-${configuration}`, runtime, true),
          ...{ confirm: async () => {}, withdraw: async () => {}, remove: async () => {} },
        }),
        tryServer: (server) =>
          tryServer(server, { folder: join(home, 'work'), noWindow, signal: new AbortController().signal }),
        now,
      },
      program,
      machine(),
    );
    assert.ok(outcome);
    assert.equal(outcome.failure, undefined);
    assert.deepEqual(outcome.tried?.tools, ['search_knowledge', 'list_knowledge_bases', 'read_source']);
    return outcome;
  }

  /** Has the program ask our model, and something of the user's in the file that gets the entry. */
  async function useRelay(id: string): Promise<void> {
    const models: Target['models'] = [
      { id: knowledgeAsker.id, name: 'Asker', contextWindow: 128_000, maxTokens: 700 },
    ];
    const program = clientPrograms.find((each) => each.id === id);
    if (!program) return writeKilo();
    const protocol = Object.keys(program.endpoints)[0] as Target['protocol'];
    const target: Target = {
      ...{ baseUrl: relay().url, models, protocol, variable: program.variable ?? 'RELAY_API_KEY' },
      ...{ auth: 'api-key' },
      ...(program.keyPlaces[0] === 'file' && { keyInFile: relay().key }),
    };
    await writeChanges(await planChanges(program.files(machine()), target), now());
  }

  /** We don't configure its models. */
  async function writeKilo(): Promise<void> {
    const file = join(home, '.config', 'kilo', 'kilo.json');
    const options = { baseURL: `${relay().url}/v1`, apiKey: '{env:RELAY_API_KEY}' };
    const models = { [knowledgeAsker.id]: { name: 'Asker' } };
    const provider = { relay: { npm: '@ai-sdk/openai-compatible', name: 'Relay', options, models } };
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ provider, model: `relay/${knowledgeAsker.id}` }));
  }

  async function run(id: string): Promise<string> {
    const variables = { RELAY_API_KEY: relay().key, ANTHROPIC_AUTH_TOKEN: relay().key };
    const folder = join(home, 'work');
    return (await runReal(id, asking[id] ?? [], { home, folder, variables })).output;
  }

  for (const id of Object.keys(asking)) {
    it(`${id} answers with the right file and line, through the window of its folder`, async () => {
      const newer = await open(id, { folder: 'elsewhere', openedAt: 9 });
      const window = await open(id);
      const configured = await configure(id);
      assert.equal(configured.tried?.hasWindow, true);
      assert.match(await run(id), /It is in docs\/rules\.md:5\./);
      assert.deepEqual([window.searches.length, newer.searches.length], [1, 0]);
      const [asked] = window.asked;
      assert.equal(asked?.configured?.program, id);
      assert.ok(fits(asked.configured, asked.caller.selfName), asked.caller.selfName);

      const { file } = configured;
      assert.doesNotMatch(JSON.stringify(configured.prepared.server), /sk-|127\.0\.0\.1/);
      await undoKnowledge({ objectionTo: () => undefined, now }, configured);
      const left = existsSync(file.path) ? await readFile(file.path, 'utf8') : '';
      assert.doesNotMatch(left, /switchboard-knowledge/);
    });

    if (slow.has(id)) continue;

    it(`${id} is told that the user denied it`, async () => {
      const window = await open(id, { answer: 'deny' });
      await configure(id);
      const output = await run(id);
      assert.match(output, /The user denied this in VS Code/);
      assert.doesNotMatch(output, /rules\.md/);
      assert.equal(window.searches.length, 0);
    });

    it(`${id} is told that no window is open`, async () => {
      const { tried } = await configure(id);
      assert.equal(tried?.hasWindow, false);
      assert.match(await run(id), /No window of VS Code with Switchboard answers/);
    });
  }

  it("is seen through when it has another program's configuration", async () => {
    const window = await open('claude-code');
    await configure('codex', 'claude-code');
    await run('codex');
    const [asked] = window.asked;
    assert.equal(asked?.configured?.program, 'claude-code');
    assert.ok(!fits(asked.configured, asked.caller.selfName), asked.caller.selfName);
  });
});
