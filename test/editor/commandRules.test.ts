import assert from 'node:assert/strict';
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { silentLog } from '../support/silentLog.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';
import { tellCommandRules } from '../../src/host/tools/tellCommandRules.ts';
import { ToolSwitches } from '../../src/host/tools/toolSwitches.ts';
import { Memory } from '../../src/settings/memory.ts';
import { createMemento } from '../support/memento.ts';

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
