import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import type { KeyStore } from '../../src/connections/keyStore.ts';
import { createTools, type Tools, type ToolsDependencies } from '../../src/host/window/createTools.ts';
import { toPath } from '../../src/host/workspace/workspacePlaces.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';
import { Memory } from '../../src/settings/memory.ts';
import { createMemento } from '../support/memento.ts';
import { createMemoryKeys } from '../support/memoryKeys.ts';
import { MemoryJournal } from '../support/memorySnapshots.ts';
import { silentLog } from '../support/silentLog.ts';
import { replace, restoreAll } from './replace.ts';

describe('the tools of a window', () => {
  const extension = vscode.extensions.getExtension('switchboard.switchboard');
  const rule = { line: 'npm test', folder: '/work' };
  let parts: Tools;
  let settings: Record<string, unknown>;
  let memory: Memory;
  let keys: KeyStore;

  beforeEach(() => {
    settings = {
      ...{ 'tools.exclude': ['kept/**'], 'tools.protected': ['asked/**'] },
      ...{ 'tools.commands': {}, 'tools.approval': {} },
    };
    memory = new Memory(createMemento(), createMemento());
    keys = createMemoryKeys();
    parts = createTools({
      ...{ memory, keys, settings: { get: (name: string) => settings[name] } },
      folders: { commands: tmpdir(), prompts: tmpdir() },
      extensionUri: extension?.extensionUri,
      hasKnowledge: () => false,
      record() {},
      notifications: new Notifications(silentLog),
    } as unknown as ToolsDependencies);
  });
  afterEach(() => {
    restoreAll();
    parts.dispose();
  });

  const rules = async () => (await parts.tools()).dependencies.workspace.files.rules();
  const offered = async () => {
    const turn = {
      ...{ conversationId: 'chat', journal: new MemoryJournal() },
      permissions: () => assert.fail('Nothing is called.'),
      groundingTool: () => undefined,
      mentions: () => false,
    };
    const box = (await parts.tools()).toolBox(parts.approvals.forConversation('chat'), turn, []);
    return box.definitions().map(({ name }) => name);
  };

  it('follow the settings for what is excluded, and for what is asked about', async () => {
    const { toolsExclude, toolsProtected, isTrusted } = await rules();
    assert.deepEqual([toolsExclude, toolsProtected, isTrusted], [['kept/**'], ['asked/**'], true]);
    settings['tools.exclude'] = ['other/**'];
    assert.deepEqual((await rules()).toolsExclude, ['other/**']);
  });

  it('exclude what the editor excludes, unless that is switched off or depends on another file', async () => {
    const files = vscode.workspace.getConfiguration('files');
    const globs = { '**/*.one': true, '**/*.two': false, '**/*.three': { when: '$(basename).ts' } };
    try {
      await files.update('exclude', globs, vscode.ConfigurationTarget.Workspace);
      const { filesExclude } = await rules();
      assert.deepEqual(
        Object.keys(globs).filter((glob) => filesExclude.includes(glob)),
        ['**/*.one'],
      );
    } finally {
      await files.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it("read files in the editor's encoding", async () => {
    const { encodingOf } = (await parts.tools()).dependencies.workspace.files;
    const path = toPath(vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'README.md'));
    const files = vscode.workspace.getConfiguration('files');
    assert.equal(encodingOf(path), undefined);
    try {
      await files.update('encoding', 'windows1252', vscode.ConfigurationTarget.Workspace);
      assert.equal(encodingOf(path), 'windows1252');
    } finally {
      await files.update('encoding', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('keep every stored key from commands', async () => {
    await keys.set({ kind: 'relay', origin: 'https://relay.example' }, 'sk-one');
    await keys.set({ kind: 'dataset', origin: 'https://platform.example' }, 'dataset-two');
    assert.deepEqual((await (await parts.tools()).secrets()).toSorted(), ['dataset-two', 'sk-one']);
  });

  it('read only what is named where the workspace is not trusted, and run no command', async () => {
    parts.switches.allowCommand(rule);
    assert.deepEqual(parts.switches.commandRules, [rule]);
    replace(vscode.workspace, 'isTrusted', false);
    assert.deepEqual(await offered(), ['read_file', 'update_plan']);
    assert.equal((await rules()).isTrusted, false);
    assert.deepEqual(parts.switches.commandRules, []);
    assert.deepEqual(parts.switches.own(), ['read_file', 'update_plan']);
  });

  it('run no command where no folder is on the disk', async () => {
    parts.switches.allowCommand(rule);
    const uri = vscode.Uri.parse('vscode-vfs://github/tides/log');
    replace(vscode.workspace, 'workspaceFolders', [{ uri, name: 'log', index: 0 }]);
    const names = await offered();
    assert.deepEqual([names.includes('edit_file'), names.includes('run_command')], [true, false]);
    assert.deepEqual(parts.switches.commandRules, []);
    assert.ok(!parts.switches.own().includes('run_command'));
  });

  it('are those that no rule denies and nobody has switched off', async () => {
    settings['tools.approval'] = { edit_file: 'deny' };
    memory.toolsOff = ['create_file'];
    const names = await offered();
    assert.ok(names.includes('read_file'));
    assert.deepEqual(
      ['edit_file', 'create_file'].filter((name) => names.includes(name)),
      [],
    );
    assert.ok(!parts.switches.own().includes('edit_file'));
    assert.ok(!parts.switches.acting().some(({ name }) => name === 'create_file'));
  });

  it('of others are those that are switched on, that no rule denies, and that do not refuse', async () => {
    const [name, other] = ['mcp_tide_tables', 'mcp_tide_moon'];
    const tool = { description: 'Tides', inputSchema: {}, tags: [] };
    replace(vscode.lm, 'tools', [
      { ...tool, name },
      { ...tool, name: other },
    ]);
    const listed = () => parts.switches.others().map((each) => each.name);
    assert.deepEqual(listed(), [name, other]);
    memory.editorTools = [name];
    const offeredOthers = async () => (await offered()).filter((each) => each.startsWith('mcp_'));
    assert.deepEqual(await offeredOthers(), [name]);
    settings['tools.approval'] = { [other]: 'deny' };
    assert.deepEqual(listed(), [name]);
    const [first] = parts.switches.others();
    assert.ok(first);
    parts.switches.refused(first);
    assert.deepEqual(listed(), []);
    assert.deepEqual(await offeredOthers(), []);
  });
});
