import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asObject } from '../../src/base/json.ts';
import { undoChanges } from '../../src/clients/clientFiles.ts';
import { clientPrograms } from '../../src/clients/clientPrograms.ts';
import type { ClientProgram, Target } from '../../src/clients/clientProgram.ts';
import { type Configured, configureClient, findProgram } from '../../src/clients/configureClient.ts';
import type { Protocol } from '../../src/relay/messages.ts';
import { createScratch, type Scratch } from '../host/scratch.ts';
import { relayOfSuite } from '../support/relayOfSuite.ts';
import { runReal } from './realPrograms.ts';

/** Existing content of each program's file, in a form that it reads. */
const existing: Record<string, string> = {
  'claude-code': '{\n  "permissions": { "allow": ["Read"] }\n}\n',
  codex: '# mine\n[history]\npersistence = "none" # no\n',
  openclaw: "{\n  // mine\n  agents: { defaults: { model: 'other/old' } },\n}\n",
  opencode: '{\n  // mine\n  "share": "disabled",\n}\n',
  'qwen-code': '{\n  // mine\n  "general": {}\n}\n',
  pi: '{\n  // mine\n  "providers": {}\n}\n',
  aider: '# mine\ndark-mode: true # yes\n',
};

/** Arguments that make a program ask a model once, if the product's own check doesn't. */
const asking: Record<string, readonly string[]> = {
  openclaw: ['agent', '--local', '--agent', 'main', '--message', 'hi'],
  cline: ['say hi'],
};

/** Programs that rewrite their file at start, so that nothing is left to undo. */
const rewriting = new Set(['cline', 'qwen-code']);

describe('programs of others, configured and run', () => {
  const { http, server: relay } = relayOfSuite();
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await createScratch();
    relay().clearRequests();
  });
  afterEach(() => scratch.remove());

  const machine = () => ({ home: scratch.folder, environment: {}, exists: existsSync });

  async function configure(program: ClientProgram, served: Protocol): Promise<Configured> {
    const models: Target['models'] = [
      { id: 'scripted-echo', name: 'Echo', contextWindow: 128_000, maxTokens: 700 },
    ];
    const outcome = await configureClient(
      {
        relay: { baseUrl: relay().url, key: relay().key, variable: 'RELAY_API_KEY' },
        dialogs: {
          chooseModels: async () => models,
          askLimits: async (model) => model,
          chooseAuth: async () => 'api-key',
          chooseKeyPlace: async () => program.keyPlaces[0],
          confirmKeyInFile: async () => true,
          confirmChanges: async () => true,
        },
        protocolOf: () => served,
        objectionTo: () => undefined,
        net: async () => ({ http, timeouts: { connectMs: 20_000, firstTokenMs: 20_000, idleMs: 20_000 } }),
        withProgress: (_, task) => task(new AbortController().signal),
        now: () => new Date(),
      },
      findProgram(program, machine()),
    );
    assert.ok(outcome && 'written' in outcome);
    assert.equal(outcome.failure, undefined);
    return outcome;
  }

  async function run(program: ClientProgram, args: readonly string[], variables: Configured['variables']) {
    const folder = join(scratch.folder, 'work');
    await mkdir(folder, { recursive: true });
    const set = Object.entries(variables).filter((each): each is [string, string] => each[1] !== null);
    return runReal(program.id, args, { home: scratch.folder, folder, variables: Object.fromEntries(set) });
  }

  /** Asserts that the program shows the model's answer, asks as measured, and kept the rest of its file. */
  async function assertAsks(program: ClientProgram, served: Protocol): Promise<void> {
    const [file] = program.files(machine());
    const text = existing[program.id];
    if (file && text !== undefined) {
      await mkdir(dirname(file.path), { recursive: true });
      await writeFile(file.path, text);
    }
    const { variables, target, written } = await configure(program, served);
    for (const line of (text ?? '').split('\n').filter((each) => /mine|no$|yes$/.test(each)))
      assert.ok((await readFile(file?.path ?? '', 'utf8')).includes(line), line);
    const [expected] = relay().requests;
    relay().clearRequests();

    if (program.check && !program.check.asksModel) {
      const { code, output } = await run(program, program.check.arguments, variables);
      assert.equal(code, 0, output);
    }
    const args = asking[program.id] ?? program.check?.arguments ?? [];
    const { output } = await run(program, args, variables);
    const asked = relay().requests.filter(({ method }) => method === 'POST');
    const seen = `${output}\n${asked.map(({ method, path }) => `${method} ${path}`).join('\n')}`;
    assert.match(output, /model of the sandbox/, seen);
    const endpoint = program.endpoints[target.protocol];
    assert.ok(endpoint && expected);
    for (const request of asked) {
      assert.equal(request.path, expected.path, seen);
      assert.equal(request.headers[endpoint.keyHeader], expected.headers[endpoint.keyHeader]);
    }
    assert.ok(asked.length > 0 && asked.length < 4, seen);
    if (program.writesLimits && endpoint.limit)
      assert.equal(asObject(asked[0]?.json)?.[endpoint.limit.field], 700);
    if (program.keyPlaces[0] !== 'file') await assertKeyInNoFile();
    if (rewriting.has(program.id)) await assert.rejects(undoChanges(written), /changed since/);
    else await undoChanges(written);
  }

  async function assertKeyInNoFile(): Promise<void> {
    const found = await readdir(scratch.folder, { recursive: true, withFileTypes: true });
    for (const file of found.filter((each) => each.isFile())) {
      const bytes = await readFile(join(file.parentPath, file.name)).catch(() => Buffer.alloc(0));
      assert.ok(!bytes.includes(relay().key), file.name);
    }
  }

  for (const program of clientPrograms) {
    it(`${program.name} answers on the relay`, () => assertAsks(program, 'chat-completions'));

    const protocols = Object.keys(program.endpoints);
    if (protocols.includes('messages') && protocols.length > 1)
      it(`${program.name} answers by the messages protocol`, () => assertAsks(program, 'messages'));
  }
});
