import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asObject } from '../../../src/base/json.ts';
import { FileProblem, type FileChange, undoChanges, writeChanges } from '../../../src/clients/clientFiles.ts';
import { clientPrograms } from '../../../src/clients/clientPrograms.ts';
import type { KeyPlace } from '../../../src/clients/clientProgram.ts';
import {
  type ClientDialogs,
  configureClient,
  type Configured,
  findProgram,
  type Overridden,
} from '../../../src/clients/configureClient.ts';
import { createScratch, type Scratch } from '../../host/scratch.ts';
import { relayOfSuite } from '../../support/relayOfSuite.ts';

describe('configuring a program of others', () => {
  const { http, server: relay } = relayOfSuite();
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await createScratch();
    relay().clearRequests();
  });
  afterEach(() => scratch.remove());

  const settings = () => join(scratch.folder, '.claude', 'settings.json');
  const config = () => join(scratch.folder, '.codex', 'config.toml');

  interface Wishes {
    id?: string;
    place?: KeyPlace;
    model?: string;
    key?: string;
    dialogs?: Partial<ClientDialogs>;
    objection?: () => FileProblem | undefined;
    environment?: NodeJS.ProcessEnv;
  }

  async function configure(wishes: Wishes = {}) {
    const {
      id = 'claude-code',
      place = 'environment',
      model = 'scripted-echo',
      key = relay().key,
      environment = {},
    } = wishes;
    const program = clientPrograms.find((each) => each.id === id)!;
    const asked: string[] = [];
    const changes: FileChange[] = [];
    const answer = <T>(name: string, value: T) => {
      asked.push(name);
      return Promise.resolve(value);
    };
    const machine = { home: scratch.folder, environment, exists: existsSync };
    const outcome: Configured | Overridden | undefined = await configureClient(
      {
        relay: { baseUrl: relay().url, key, variable: 'RELAY_API_KEY' },
        dialogs: {
          chooseModels: () => answer('models', [{ id: model, name: model }]),
          askLimits: (each) => answer('limits', { ...each, contextWindow: 64_000, maxTokens: 500 }),
          chooseAuth: () => answer('auth', 'api-key'),
          chooseKeyPlace: () => answer('key', place),
          confirmKeyInFile: () => answer('key in file', true),
          confirmChanges(_, planned) {
            changes.push(...planned);
            return answer('changes', true);
          },
          ...wishes.dialogs,
        },
        protocolOf: () => 'chat-completions',
        objectionTo: () => wishes.objection?.(),
        net: async () => ({ http, timeouts: { connectMs: 20_000, firstTokenMs: 20_000, idleMs: 20_000 } }),
        withProgress: (_, task) => task(new AbortController().signal),
        now: () => new Date('2026-11-22T11:00:00Z'),
      },
      findProgram(program, machine),
    );
    return { outcome, asked, changes };
  }

  async function configured(wishes?: Wishes): Promise<Configured> {
    const { outcome } = await configure(wishes);
    assert.ok(outcome && 'written' in outcome);
    return outcome;
  }

  async function put(path: string, text: string | Buffer): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  const read = (path: string) => readFile(path, 'utf8');

  async function assertFiles(...expected: string[]): Promise<void> {
    const found = await readdir(scratch.folder, { recursive: true, withFileTypes: true });
    const files = found.filter((each) => !each.isDirectory());
    assert.deepEqual(
      files.map(({ parentPath, name }) => join(parentPath, name)).toSorted(),
      expected.toSorted(),
    );
  }

  for (const { id, endpoints, variables, keyPlaces } of clientPrograms) {
    it(`has ${id} ask the relay as it does, and leaves no trace when undone`, async () => {
      const { written, failure, target } = await configured({ id, place: keyPlaces[0] });
      assert.equal(failure, undefined);
      const [request, ...others] = relay().requests;
      const endpoint = endpoints[target.protocol]!;
      assert.equal(others.length, 0);
      assert.equal(request?.path, `${endpoint.suffix}${endpoint.path.replace(/\?.*/, '')}`);
      const byKey = endpoint.keyHeader === 'authorization' ? `Bearer ${relay().key}` : relay().key;
      assert.equal(request?.headers[endpoint.keyHeader], byKey);
      for (const { path, target: file } of written) {
        assert.ok(existsSync(path));
        if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
      }
      await undoChanges(written);
      assert.deepEqual(await readdir(scratch.folder), []);
    });

    if (variables) {
      it(`changes no file of ${id} for a terminal that has it all`, async () => {
        const { outcome, asked } = await configure({ id, place: 'terminal' });
        assert.ok(outcome && 'variables' in outcome);
        assert.ok(!asked.includes('changes'));
        assert.ok(Object.values(outcome.variables).includes(relay().key));
        await assertFiles();
      });
    }
  }

  it('sends the limit that the program will send, and none of our own headers', async () => {
    await configured();
    const [request] = relay().requests;
    assert.equal(asObject(request?.json)?.['max_tokens'], 500);
    assert.equal(request?.headers['anthropic-version'], '2023-06-01');
  });

  it('keeps the file as it was beside it, with its rights, and gives back its bytes', async () => {
    const bytes = Buffer.from('\uFEFF{\r\n  "theme": "dark"\r\n}');
    await put(settings(), bytes);
    await chmod(settings(), 0o640);
    const { written } = await configured();
    const backup = `${settings()}.20261122-110000.bak`;
    assert.deepEqual(await readFile(backup), bytes);
    assert.match(await read(settings()), /"theme": "dark",\r\n/);
    if (process.platform !== 'win32') assert.equal((await stat(settings())).mode & 0o777, 0o640);
    await undoChanges(written);
    assert.deepEqual(await readFile(settings()), bytes);
    await assertFiles(settings());
  });

  it('writes nothing before the user agreed', async () => {
    await put(config(), 'model = "mine"\n');
    const { outcome, asked, changes } = await configure({
      ...{ id: 'codex' },
      dialogs: { confirmChanges: async () => false },
    });
    assert.equal(outcome, undefined);
    assert.deepEqual([asked, changes], [['models', 'key'], []]);
    assert.equal(await read(config()), 'model = "mine"\n');
    await assertFiles(config());
    assert.equal(relay().requests.length, 0);
  });

  it('shows the very bytes that it writes', async () => {
    await put(config(), 'model = "mine"\n');
    const { changes } = await configure({ id: 'codex' });
    assert.equal(changes[0]?.before?.toString(), 'model = "mine"\n');
    assert.deepEqual(changes[0]?.after, await readFile(config()));
  });

  it('asks once more before the key comes to lie in a file', async () => {
    const refused = await configure({ place: 'file', dialogs: { confirmKeyInFile: async () => false } });
    assert.equal(refused.outcome, undefined);
    await assertFiles();
    const { asked } = await configure({ place: 'file' });
    assert.deepEqual(asked, ['models', 'limits', 'key', 'key in file', 'changes']);
    assert.ok((await read(settings())).includes(relay().key));
  });

  it('puts the key into no file otherwise', async () => {
    for (const place of ['environment', 'terminal'] as const) {
      for (const { id, keyPlaces } of clientPrograms) {
        if (keyPlaces.includes(place)) await configured({ id, place });
      }
    }
    const found = await readdir(scratch.folder, { recursive: true, withFileTypes: true });
    for (const file of found.filter((each) => each.isFile())) {
      const text = await read(join(file.parentPath, file.name));
      assert.ok(!text.includes(relay().key), file.name);
    }
  });

  it('leaves a broken file alone and says where it is broken', async () => {
    await put(settings(), '{\n  // mine\n}');
    await assert.rejects(configure(), (error) => {
      assert.ok(error instanceof FileProblem);
      assert.equal(error.line, 2);
      assert.match(error.message, /settings\.json can't be changed \(line 2: .*\)\. Nothing was written\.$/);
      return true;
    });
    assert.equal(await read(settings()), '{\n  // mine\n}');
    await put(settings(), Buffer.from([0x7b, 0xff, 0x7d]));
    await assert.rejects(configure(), /isn't UTF-8/);
    await assertFiles(settings());
  });

  it('leaves files alone that are read-only, unsaved, or not trusted', async () => {
    await put(settings(), '{}');
    const problem = new FileProblem(settings(), 'has unsaved changes');
    await assert.rejects(configure({ objection: () => problem }), problem);
    let asked = 0;
    await assert.rejects(configure({ objection: () => (asked++ > 0 ? problem : undefined) }), problem);
    await chmod(settings(), 0o444);
    await assert.rejects(configure(), /read-only/);
    assert.equal(await read(settings()), '{}');
    await assertFiles(settings());
  });

  it('writes through a link and keeps it', async function () {
    const real = join(scratch.folder, 'dotfiles', 'claude.json');
    await put(real, '{}');
    await mkdir(dirname(settings()));
    await symlink(real, settings());
    const { written } = await configured();
    assert.match(await read(real), /ANTHROPIC_BASE_URL/);
    await undoChanges(written);
    assert.equal(await read(real), '{}');
    assert.equal(await read(settings()), '{}');
    await rename(real, `${real}.old`);
    await assert.rejects(configure(), /broken link/);
  });

  it('writes nothing when the file changed while the diff was looked at', async () => {
    await put(settings(), '{}');
    const confirmChanges = async () => {
      await writeFile(settings(), '{"theme":"light"}');
      return true;
    };
    await assert.rejects(configure({ dialogs: { confirmChanges } }), /changed in the meantime/);
    assert.equal(await read(settings()), '{"theme":"light"}');
    await assertFiles(settings());
  });

  it('takes the first file back when the second changed meanwhile', async () => {
    await put(config(), 'theirs');
    const after = Buffer.from('{}');
    const changes = [settings(), config()].map((path) => ({ path, target: path, after, mode: 0o600 }));
    await assert.rejects(writeChanges(changes, new Date()), /changed in the meantime/);
    await assertFiles(config());
    assert.equal(await read(config()), 'theirs');
  });

  it('undoes nothing when the file changed since', async () => {
    await put(settings(), '{}');
    const { written } = await configured();
    await writeFile(settings(), '{"theme":"light"}');
    await assert.rejects(undoChanges(written), /changed since/);
    assert.equal(await read(settings()), '{"theme":"light"}');
    await assertFiles(settings(), written[0]!.backup!);
  });

  it('keeps a folder that others put something into', async () => {
    const { written } = await configured();
    const theirs = join(dirname(settings()), 'history.jsonl');
    await writeFile(theirs, '');
    await undoChanges(written);
    await assertFiles(theirs);
  });

  it('writes nothing the second time, and tries all the same', async () => {
    await configured();
    const { outcome, asked } = await configure();
    assert.ok(outcome && 'written' in outcome);
    assert.deepEqual([outcome.written, asked], [[], ['models', 'limits', 'key']]);
    assert.equal(relay().requests.length, 2);
  });

  it('does not open a terminal that the file would win over: its key would go to the relay', async () => {
    await put(settings(), '{"env": {"ANTHROPIC_API_KEY": "sk-ant-theirs"}}');
    const { outcome } = await configure({ place: 'terminal' });
    assert.ok(outcome && 'names' in outcome);
    assert.deepEqual(outcome.names, ['ANTHROPIC_API_KEY']);
    assert.equal(relay().requests.length, 0);
  });

  it('says why the relay does not answer: a wrong key, a model that it lacks, an answer without text', async () => {
    assert.equal((await configured({ key: relay().keys.unknown })).failure?.code, 'key');
    assert.equal((await configured({ model: 'nobody' })).failure?.code, 'model');
    assert.equal((await configured({ model: 'fault/empty-reply' })).failure?.code, 'empty-reply');
  });
});
