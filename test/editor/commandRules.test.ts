import assert from 'node:assert/strict';
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Allowance } from '../../src/chat/calls/grants.ts';
import type { ChatController } from '../../src/chat/chatController.ts';
import { silentLog } from '../support/silentLog.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';
import { tellCommandRules } from '../../src/host/tools/tellCommandRules.ts';
import { chooseTools } from '../../src/host/tools/chooseTools.ts';
import { McpServers } from '../../src/host/tools/mcpServers.ts';
import { ToolSwitches } from '../../src/host/tools/toolSwitches.ts';
import { Memory } from '../../src/settings/memory.ts';
import { createMemento } from '../support/memento.ts';
import { withPerson } from './person.ts';
import type { ListScript } from './scriptedQuickPick.ts';

describe('rules for commands of an earlier version', () => {
  let everywhere: ReturnType<typeof createMemento>;
  let workspace: ReturnType<typeof createMemento>;
  const notifications = new Notifications(silentLog);
  let told: string[];
  let folder: string;

  before(async () => {
    const [open] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(open);
    folder = await realpath(open.uri.fsPath);
    const showProgress = () => assert.fail('Nothing is under way.');
    const view = { isVisible: true, onDidChangeVisibility: () => ({ dispose() {} }) };
    notifications.panel = { notices: { show: async ({ text }) => void told.push(text), showProgress }, view };
  });
  beforeEach(() => {
    [everywhere, workspace] = [createMemento(), createMemento()];
    told = [];
  });

  async function load(settings: Parameters<typeof tellCommandRules>[3]) {
    const memory = new Memory(everywhere, workspace);
    const switches = new ToolSwitches(
      memory,
      () => false,
      () => false,
    );
    await tellCommandRules(notifications, memory, switches, settings);
    return switches.commandRules;
  }

  it('are kept as the lines they are, and told once with what has changed', async () => {
    await workspace.update('allowedCommands', ['npm test', 'git log']);
    const settings = { 'npm run build': 'allow', 'tsc *': 'allow', 'git push': 'deny' } as const;
    const kept = [
      { line: 'npm test', folder },
      { line: 'git log', folder },
    ];
    assert.deepEqual(await load(settings), kept);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /the whole line.*: "npm test", "git log", "npm run build"\. To allow/);
    assert.deepEqual(await load(settings), kept);
    assert.equal(told.length, 1);
  });

  it('are told of where another workspace has some, and not where there are none', async () => {
    await load({ 'npm run build': 'allow' });
    workspace = createMemento();
    told = [];
    assert.deepEqual(await load({ 'npm run build': 'allow' }), []);
    assert.deepEqual(told, []);
    await workspace.update('allowedCommands', ['ls']);
    assert.deepEqual(await load({ 'npm run build': 'allow' }), [{ line: 'ls', folder }]);
    assert.match(told[0] ?? '', /: "ls"\. To allow/);
  });
});

describe('what was always allowed, in the list of tools', () => {
  it('is revoked by its button at once, or by its tick with the list, as tools are switched off', async () => {
    const folder = vscode.workspace.workspaceFolders![0]!.uri.path;
    const memory = new Memory(createMemento(), createMemento());
    const switches = new ToolSwitches(
      memory,
      () => false,
      () => false,
    );
    for (const line of ['ls docs', 'ls src', 'ls test']) switches.allowCommand({ line, folder });
    const theirs = { name: 'read_file', key: 'other.tide read_file', title: 'Read tide files (other.tide)' };
    const revoked: Allowance[] = [];
    const choices = {
      permissions: { approvals: 'editsAllowed', granted: new Map([[theirs.key, theirs]]) },
      revoke: (allowance: Allowance) => void revoked.push(allowance),
    };
    const chat = {
      sessions: [{ choices }],
      onDidChangePermissions: () => ({ dispose() {} }),
    } as unknown as ChatController;
    const list: ListScript = async (tools) => {
      await tools.press('ls docs');
      assert.ok(!tools.labels.includes('ls docs'));
      await tools.press('Read tide files (other.tide)');
      assert.deepEqual(revoked, [theirs]);
      await tools.accept('List files', 'Edits Allowed', 'Read tide files', 'ls test');
    };
    await withPerson({ lists: [list] }, () =>
      chooseTools({
        ...{ switches, chat, notifications: new Notifications(silentLog) },
        mcpServers: () => McpServers.load(memory, switches),
      }),
    );
    assert.deepEqual(switches.commandRules, [{ line: 'ls test', folder }]);
    assert.deepEqual(revoked, [theirs]);
    assert.ok(switches.off.has('read_file') && !switches.off.has('list_files'));
  });
});
