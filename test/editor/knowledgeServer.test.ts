import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import type { AddAppResult } from '../../src/host/apps/addApp.ts';
import { type PlatformServer, startPlatform } from '../servers/sandbox.ts';
import { eventually } from '../support/eventually.ts';
import { type Asked, type PersonScript, withPerson } from './person.ts';
import { replace, restoreAll } from './replace.ts';

const run = (command: string) => vscode.commands.executeCommand(`switchboard.${command}`);

interface Entry {
  command: string;
  args: string[];
}

describe('knowledge for other programs: in the editor', function () {
  this.timeout(60_000);
  let platform: PlatformServer;
  let home: string;
  let entry: Entry;
  const clients: Client[] = [];
  let added: AddAppResult | undefined;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);

  before(async () => {
    platform = await startPlatform({
      indexing: 'instant',
      seed: [
        {
          dataset: 'Team handbook',
          documents: [{ name: 'rules.md', text: 'Three knots in the basin.' }],
        },
      ],
    });
    await withPerson({ types: [platform.url, platform.datasetKey] }, () => run('connectPlatform'));
  });
  beforeEach(async () => {
    platform.clearRequests();
    home = mkdtempSync(join(tmpdir(), 'switchboard-home-'));
    process.env['CLAUDE_CONFIG_DIR'] = home;
    await configure();
    const { mcpServers } = JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8')) as {
      mcpServers: Record<string, Entry>;
    };
    entry = mcpServers['switchboard-knowledge'] ?? assert.fail('not configured');
  });
  afterEach(async () => {
    restoreAll();
    for (const client of clients.splice(0)) await client.close();
    await withPerson({}, () => run('manageKnowledgeAccess'));
    delete process.env['CLAUDE_CONFIG_DIR'];
    rmSync(home, { recursive: true, force: true });
  });
  after(async () => {
    // Its offer to other extensions goes with it.
    const node = { type: 'app', app: added?.app, hasKey: true };
    await withPerson({ presses: ['Remove'] }, () =>
      vscode.commands.executeCommand('switchboard.apps.remove', node),
    );
    await withPerson({}, () => run('removeKeys'));
    const settings = vscode.workspace.getConfiguration('switchboard');
    await settings.update('platform.baseUrl', undefined, vscode.ConfigurationTarget.Global);
    await platform.stop();
  });

  const configure = () =>
    withPerson({ picks: ['Knowledge by MCP', 'Claude Code', 'Apply'] }, () => run('configureClient'));
  const start = async (name: string, args = entry.args, cwd = folder.uri.fsPath): Promise<Client> => {
    const client = new Client({ name, version: '1' });
    const { command } = entry;
    await client.connect(new StdioClientTransport({ command, args, cwd }));
    clients.push(client);
    return client;
  };
  const search = async (client: Client, script: PersonScript) => {
    let text = '';
    const asked = await withPerson(script, async () => {
      const result = await client.callTool({
        name: 'search_knowledge',
        arguments: { query: 'How fast in the basin?' },
      });
      text = result.content.map((each) => (each.type === 'text' ? each.text : '')).join('');
    });
    return { text, question: asked.find(({ kind }) => kind === 'warning') };
  };
  const buttons = (question: Asked | undefined) => question?.buttons;

  it('listens only once a program is configured, with nothing secret in its file', () => {
    const text = readFileSync(join(home, '.claude.json'), 'utf8');
    for (const secret of [platform.datasetKey, platform.url]) assert.ok(!text.includes(secret));
    const [script = ''] = entry.args;
    assert.ok(existsSync(script));
    assert.ok(!script.includes('extensions'), script);
    const windows = join(dirname(script), 'windows');
    if (process.platform !== 'win32') assert.equal(statSync(windows).mode & 0o777, 0o700);
    for (const name of readdirSync(windows)) {
      const path = join(windows, name);
      if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600, name);
      if (name.endsWith('.json')) assert.ok(!readFileSync(path, 'utf8').includes(platform.datasetKey));
    }
  });

  it('asks before the first search, by name and knowledge base, and not again when that is allowed', async () => {
    const claude = await start('claude-code');
    const denied = await search(claude, { presses: ['Deny'] });
    assert.match(denied.text, /The user denied this/);
    assert.match(
      denied.question?.text ?? '',
      /^Claude Code \(configured on .+\) wants to search Team handbook\.$/,
    );
    assert.deepEqual(buttons(denied.question), ['Allow in This Workspace', 'Once', 'Deny']);
    assert.ok(!platform.requests.some(({ path }) => path.includes('/retrieve')));

    const again = await start('claude-code');
    const allowed = await search(again, { presses: ['Allow in This Workspace'] });
    assert.match(allowed.text, /Three knots in the basin/);
    const next = await search(await start('claude-code'), {});
    assert.equal(next.question, undefined);
    assert.match(next.text, /Three knots/);
  });

  it('asks about a program that lies about its name, and allows one that is unknown only once', async () => {
    const liar = await search(await start('Codex'), { presses: ['Once'] });
    assert.match(
      liar.question?.text ?? '',
      /^A program that calls itself "Codex" and has the configuration of Claude Code/,
    );
    const [script = ''] = entry.args;
    for (const args of [[script], [script, 'made-up']]) {
      const unknown = await search(await start('claude-code', args), { presses: ['Once'] });
      assert.match(
        unknown.question?.text ?? '',
        /^An unknown program that calls itself "claude-code" wants to search Team handbook\. Switchboard didn't configure it/,
      );
      assert.deepEqual(buttons(unknown.question), ['Once', 'Deny']);
    }
  });

  it('says which folder a program works in that is not open here, and answers none without trust', async () => {
    const elsewhere = await search(await start('claude-code', entry.args, home), { presses: ['Once'] });
    assert.match(elsewhere.question?.text ?? '', /It works in .+, which isn't open in this window\./);
    const here = await search(await start('claude-code'), { presses: ['Once'] });
    assert.doesNotMatch(here.question?.text ?? '', /It works in/);
    replace(vscode.workspace, 'isTrusted', false);
    const refused = await search(await start('claude-code'), { presses: ['Once'] });
    assert.equal(refused.question, undefined);
    assert.match(refused.text, /The workspace isn't trusted/);
  });

  it('runs a workflow only as the user confirms it', async () => {
    const { name, key } = platform.apps.workflow;
    await withPerson({ types: [platform.url, key] }, async () => {
      added = await vscode.commands.executeCommand<AddAppResult>('switchboard.addApp');
    });
    await withPerson({}, () => run('offerWorkflows'));
    const client = await start('claude-code');
    const inputs = { text: 'High water at noon.' };
    const ran = () => platform.requests.filter(({ path }) => path === '/v1/workflows/run').length;
    const call = async (presses: string[]) => {
      let answer: unknown;
      const asked = await withPerson({ presses }, async () => {
        answer = await client.callTool({ name: 'run_workflow', arguments: { workflow: name, inputs } });
      });
      return { answer: JSON.stringify(answer), asked: asked.map(({ text }) => text) };
    };
    const refused = await call([]);
    assert.match(refused.answer, /The user refused the call/);
    assert.ok(
      refused.asked.some((text) => text.startsWith('Claude Code') && text.includes(' asks: ')),
      refused.asked.join('\n'),
    );
    assert.equal(ran(), 0);
    assert.match((await call(['Allow'])).answer, /A text of 4 words/);
    assert.equal(ran(), 1);
  });

  it('lists what was allowed, and asks again when it is removed', async () => {
    await search(await start('claude-code'), { presses: ['Allow in This Workspace'] });
    let removed: unknown;
    await withPerson({}, async () => {
      removed = await run('manageKnowledgeAccess');
    });
    assert.ok(Number(removed) >= 2);
    // Its configuration is gone as well, so it is unknown.
    const { question } = await search(await start('claude-code'), { presses: ['Deny'] });
    assert.match(question?.text ?? '', /^An unknown program/);
    await configure();
    await eventually(() => assert.ok(existsSync(entry.args[0] ?? '')));
  });
});
