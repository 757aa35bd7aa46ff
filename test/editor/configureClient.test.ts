import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ClientDiffs } from '../../src/host/clients/clientDialogs.ts';
import { objectionTo } from '../../src/host/clients/clientHost.ts';
import { startRelay, type RelayServer } from '../servers/sandbox.ts';
import { eventually } from '../support/eventually.ts';
import { withPerson } from './person.ts';
import { replace, restoreAll } from './replace.ts';

const run = (command: string) => vscode.commands.executeCommand(`switchboard.${command}`);

describe('configuring another client: in the editor', () => {
  let relay: RelayServer;
  let folder: string;
  const file = () => join(folder, 'settings.json');

  before(async () => {
    relay = await startRelay({ list: 'good' });
    await withPerson({ types: [relay.url, relay.key] }, () => run('connectRelay'));
  });
  after(async () => {
    await withPerson({}, () => run('removeKeys'));
    await vscode.workspace
      .getConfiguration('switchboard')
      .update('relay.baseUrl', undefined, vscode.ConfigurationTarget.Global);
    await relay.stop();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchboard-client-'));
    process.env['CLAUDE_CONFIG_DIR'] = folder;
    relay.clearRequests();
  });
  afterEach(() => {
    restoreAll();
    delete process.env['CLAUDE_CONFIG_DIR'];
    rmSync(folder, { recursive: true, force: true });
  });

  const types = ['64000', '500'];
  const model = 'Model of the Relay';
  const diffs = () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputTextDiff);

  it('asks, writes, tries, and takes it back', async () => {
    let result: unknown;
    const picks = [model, 'Claude Code', 'scripted-echo', 'Environment Variable', 'Apply'];
    const asked = await withPerson({ picks, types, answers: ['Undo'] }, async () => {
      result = await run('configureClient');
    });
    assert.deepEqual(result, {
      ...{ configured: true, client: 'claude-code', answered: true },
      files: [file()],
    });
    assert.equal(relay.requests.at(-1)?.path, '/v1/messages');
    const told = asked.find(({ kind }) => kind === 'information')?.text ?? '';
    assert.match(told, /^Claude Code is configured\. Set the variable ANTHROPIC_AUTH_TOKEN /);
    assert.ok(!JSON.stringify(asked).includes(relay.key));
    await eventually(() => assert.deepEqual([existsSync(file()), readdirSync(folder)], [false, []]));
    assert.equal(diffs().length, 0);
  });

  it('writes nothing when the change is not applied, or the key is not to lie in the file', async () => {
    const first = [model, 'Claude Code', 'scripted-echo'];
    await withPerson({ picks: [...first, 'Environment Variable', 'Cancel'], types }, () =>
      run('configureClient'),
    );
    const asked = await withPerson({ picks: [...first, 'Key in the File', 'Apply'], types }, () =>
      run('configureClient'),
    );
    assert.match(
      asked.find(({ kind }) => kind === 'warning')?.text ?? '',
      /^Write the key to .*settings\.json\?$/,
    );
    assert.deepEqual([readdirSync(folder), relay.requests.length], [[], 0]);
  });

  it('sets the key in a terminal alone', async () => {
    const picks = [model, 'Claude Code', 'scripted-echo', 'Open a Terminal'];
    await withPerson({ picks, types }, () => run('configureClient'));
    const terminal = vscode.window.terminals.find(({ name }) => name === 'Claude Code');
    assert.ok(terminal);
    const { env, isTransient } = terminal.creationOptions as vscode.TerminalOptions;
    terminal.dispose();
    assert.deepEqual(
      [env?.['ANTHROPIC_AUTH_TOKEN'], env?.['ANTHROPIC_BASE_URL'], env?.['ANTHROPIC_API_KEY'], isTransient],
      [relay.key, relay.url, null, true],
    );
    assert.deepEqual(readdirSync(folder), []);
  });

  it('tells a program that it knows nothing of address, variable and model, and never the key', async () => {
    const picks = [model, 'Another Program (Messages)', 'scripted-echo', 'Environment Variable', relay.url];
    let result: unknown;
    await withPerson({ picks }, async () => {
      result = await run('configureClient');
    });
    assert.deepEqual(result, { configured: true, client: 'other-messages', answered: true, files: [] });
    assert.equal(await vscode.env.clipboard.readText(), relay.url);
    assert.equal(relay.requests.at(-1)?.headers['x-api-key'], relay.key);
  });

  it('leaves the files of a workspace alone that is not trusted', () => {
    const { fsPath } = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '.mcp.json');
    assert.equal(objectionTo(fsPath), undefined);
    replace(vscode.workspace, 'isTrusted', false);
    assert.match(objectionTo(fsPath)?.message ?? '', /\.mcp\.json is in an untrusted workspace\.$/);
    assert.equal(objectionTo(file()), undefined);
  });

  it('leaves a file alone that has unsaved changes', async () => {
    const uri = vscode.Uri.file(file());
    await vscode.workspace.fs.writeFile(uri, Buffer.from('{}'));
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 1), ' '));
    const picks = [model, 'Claude Code', 'scripted-echo', 'Environment Variable', 'Apply'];
    const asked = await withPerson({ picks, types }, () => run('configureClient'));
    assert.match(asked.find(({ kind }) => kind === 'error')?.text ?? '', /unsaved changes/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    assert.equal(readFileSync(file(), 'utf8'), '{}');
  });

  it('shows the change as a diff with the key masked, and closes it', async () => {
    const shown = new ClientDiffs('sk-Abc123Def456Ghi789');
    const change = {
      path: file(),
      target: file(),
      mode: 0o600,
      after: Buffer.from('key: sk-Abc123Def456Ghi789'),
    };
    await shown.show([change]);
    const [tab] = diffs();
    assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
    assert.equal(tab.group.viewColumn, 2, 'nothing of it is covered by the question');
    const after = await vscode.workspace.openTextDocument(tab.input.modified);
    assert.equal(after.getText(), 'key: sk-…i789');
    await shown.close();
    assert.equal(diffs().length, 0);
    assert.equal(vscode.window.tabGroups.all.length, 1);
  });
});
