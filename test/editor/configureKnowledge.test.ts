import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { startPlatform, type PlatformServer } from '../servers/sandbox.ts';
import { eventually } from '../support/eventually.ts';
import { type Asked, type PersonScript, withPerson } from './person.ts';

const run = (command: string) => vscode.commands.executeCommand(`switchboard.${command}`);
const knowledge = 'Knowledge by MCP';

describe('configuring another program for knowledge: in the editor', function () {
  this.timeout(60_000);
  let platform: PlatformServer;
  let folder: string;
  const file = () => join(folder, 'config.toml');

  before(async () => {
    platform = await startPlatform({ indexing: 'instant', seed: [{ dataset: 'Harbour' }] });
  });
  after(() => platform.stop());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchboard-client-'));
    process.env['CODEX_HOME'] = folder;
    await withPerson({ types: [platform.url, platform.datasetKey] }, () => run('connectPlatform'));
  });
  afterEach(async () => {
    await disconnect();
    delete process.env['CODEX_HOME'];
    rmSync(folder, { recursive: true, force: true });
  });

  async function disconnect() {
    await withPerson({}, () => run('removeKeys'));
    await vscode.workspace
      .getConfiguration('switchboard')
      .update('platform.baseUrl', undefined, vscode.ConfigurationTarget.Global);
  }

  /** @param then what comes of the answer to the report, while the user is still there */
  async function configure(
    script: PersonScript,
    then = () => {},
  ): Promise<{ result: unknown; asked: Asked[] }> {
    let result: unknown;
    const asked = await withPerson(script, async () => {
      result = await run('configureClient');
      await eventually(then);
    });
    return { result, asked };
  }

  const reportOf = (asked: readonly Asked[]) => asked.find(({ kind }) => kind === 'information')?.text ?? '';

  it('asks for a platform first', async () => {
    await disconnect();
    const { result, asked } = await configure({ picks: [knowledge] });
    assert.deepEqual(result, { configured: false });
    assert.equal(reportOf(asked), 'Connect a platform first.');
  });

  it('writes the entry, starts the server, which this window answers, and takes it back', async () => {
    const before = '# mine\nmodel = "m"\n';
    writeFileSync(file(), before);
    const { result, asked } = await configure({ picks: [knowledge, 'Codex', 'Apply'], answers: ['Undo'] });
    assert.deepEqual(result, { configured: true, client: 'codex', answered: true, files: [file()] });
    assert.equal(
      reportOf(asked),
      'Codex is configured. Restart it, then ask it about your knowledge bases. The server started, this window answered, tools: search_knowledge, list_knowledge_bases, read_source.',
    );
    await eventually(() => assert.deepEqual(readdirSync(folder), ['config.toml']));
    assert.equal(readFileSync(file(), 'utf8'), before);
  });

  it('writes nothing that the user did not apply', async () => {
    const { result } = await configure({ picks: [knowledge, 'Codex', 'Cancel'] });
    assert.deepEqual([result, readdirSync(folder)], [{ configured: false }, []]);
  });

  it('writes no key and no address, and the same entry a second time', async () => {
    await configure({ picks: [knowledge, 'Codex', 'Apply'] });
    const text = readFileSync(file(), 'utf8');
    assert.match(text, /^\[mcp_servers\.switchboard-knowledge\]\ncommand = ".+"\nargs = \[".+", ".+"\]\n/);
    assert.ok(!text.includes(platform.datasetKey) && !text.includes(platform.url), text);
    const { result, asked } = await configure(
      { picks: [knowledge, 'Codex', 'Apply'], answers: ['Remove…'] },
      () => assert.equal(readFileSync(file(), 'utf8'), ''),
    );
    assert.deepEqual(result, { configured: true, client: 'codex', answered: true, files: [] });
    assert.match(reportOf(asked), /^Codex is already configured\. The server started/);
  });

  it('leaves a broken file alone and says where it is broken', async () => {
    writeFileSync(file(), 'a = 1\nb = ]\n');
    const { result, asked } = await configure({ picks: [knowledge, 'Codex', 'Apply'] });
    assert.deepEqual(result, { configured: false });
    assert.match(
      asked.find(({ kind }) => kind === 'error')?.text ?? '',
      /config\.toml can't be changed \(line 2/,
    );
    assert.ok(!existsSync(`${file()}.bak`));
  });
});
