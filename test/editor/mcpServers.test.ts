import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ChatController } from '../../src/chat/chatController.ts';
import { chooseTools } from '../../src/host/tools/chooseTools.ts';
import { editorTools } from '../../src/host/tools/editorTools.ts';
import { McpServers } from '../../src/host/tools/mcpServers.ts';
import { ToolSwitches } from '../../src/host/tools/toolSwitches.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';
import { Memory } from '../../src/settings/memory.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { createMemento } from '../support/memento.ts';
import { takePictures, withPerson } from './person.ts';
import { replace, restoreAll } from './replace.ts';
import type { ListScript } from './scriptedQuickPick.ts';
import { silentLog } from '../support/silentLog.ts';

const { signal } = new AbortController();

/** VS Code 1.106 names tools after the configuration, not after the server, and lists them until a reload. */
const isOldest = vscode.version.startsWith('1.106.');
const harbourTool = isOldest ? 'mcp_harbour_tide_now' : 'mcp_harbour_offic_tide_now';
const harbourLabel = harbourTool.slice('mcp_harbour_'.length);

describe('MCP servers that the editor has not started', function () {
  this.timeout(60_000);
  const extension = vscode.extensions.getExtension('switchboard.switchboard');
  const script = join(extension?.extensionPath ?? '', 'test/host/companions/mcp/tideServer.mjs');
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const file = vscode.Uri.joinPath(folder.uri, '.vscode/mcp.json');
  const chat = {
    sessions: [],
    onDidChangePermissions: () => ({ dispose() {} }),
  } as unknown as ChatController;
  const notices: { text: string; actions?: readonly string[] }[] = [];
  const progress: { text: string; cancel(): void }[] = [];
  let everywhere: ReturnType<typeof createMemento>;
  let switches: ToolSwitches;
  let servers: McpServers;
  let starts: string;
  let answer: string | undefined;
  let hasRun = false;
  const notifications = new Notifications(silentLog);

  const read = () => vscode.workspace.getConfiguration('mcp', folder.uri).get<object>('servers') ?? {};
  const names = () => servers.toStart().map(({ name }) => name);
  const started = () => (existsSync(starts) ? readFileSync(starts, 'utf8').trim().split('\n') : []);
  const open = () => chooseTools({ switches, chat, notifications, mcpServers: async () => servers });

  /** @param modes of the script, each with the name that the server gives itself, by the server's name */
  async function define(modes: Record<string, readonly [mode: string, ownName?: string]>): Promise<void> {
    const all = Object.entries(modes).map(([name, [mode, ownName]]) => [
      name,
      { command: process.execPath, args: [script, mode, starts, ...(ownName ? [ownName] : [])] },
    ]);
    await vscode.workspace.fs.writeFile(
      file,
      Buffer.from(JSON.stringify({ servers: Object.fromEntries(all) })),
    );
    await eventuallyEqual(() => Object.keys(read()), Object.keys(modes));
  }

  async function load(): Promise<void> {
    const memory = new Memory(everywhere, createMemento());
    switches = new ToolSwitches(
      memory,
      () => false,
      () => false,
    );
    servers = await McpServers.load(memory, switches);
  }

  beforeEach(async function () {
    // The tools of a test would stay for the next.
    if (isOldest && hasRun) return this.skip();
    hasRun = true;
    starts = join(await mkdtemp(join(tmpdir(), 'switchboard-mcp-')), 'starts');
    everywhere = createMemento();
    answer = undefined;
    notices.length = 0;
    progress.length = 0;
    notifications.panel = {
      notices: {
        show: async (notice) => {
          notices.push(notice);
          return answer;
        },
        showProgress(text, _label, cancel) {
          progress.push({ text, cancel });
          return { report() {}, withdraw() {} };
        },
      },
      view: { isVisible: true, onDidChangeVisibility: () => ({ dispose() {} }) },
    };
    await load();
  });
  afterEach(async () => {
    restoreAll();
    await define({});
    if (!isOldest)
      await eventuallyEqual(() => vscode.lm.tools.filter(({ name }) => name.startsWith('mcp_')).length, 0);
    await vscode.commands.executeCommand('workbench.mcp.resetCachedTools');
    await rm(join(starts, '..'), { recursive: true, force: true });
  });
  after(async () => {
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(file, '..'), { recursive: true });
  });

  it('are listed, started from the list, and their tools chosen and offered to models', async () => {
    await define({ harbour: ['tide'], spare: ['tide'] });
    let labels: string[] = [];
    const list: ListScript = async (tools) => {
      ({ labels } = tools);
      assert.equal(tools.placeholder, 'Select the tools that models can use. MCP servers not started: 2');
      const { description, buttons } = await tools.item('harbour');
      assert.equal(description, `${folder.name}/.vscode/mcp.json`);
      assert.deepEqual(
        buttons?.map(({ tooltip }) => tooltip),
        ['Start Server'],
      );
      assert.deepEqual(started(), []);
      await tools.press('harbour');
      const added = await tools.item(harbourLabel);
      assert.equal(switches.others().filter((tool) => switches.isOn(tool)).length, 0);
      assert.deepEqual(tools.labels.slice(-2), ["MCP servers that haven't been started", 'spare']);
      await tools.accept(added.label);
    };
    await withPerson({ lists: [list] }, open);
    assert.deepEqual(labels.slice(-3), ["MCP servers that haven't been started", 'harbour', 'spare']);
    assert.deepEqual(notices, []);
    assert.equal(started().length, 1);
    const [tool, ...more] = editorTools(switches);
    assert.equal(tool?.name, harbourTool);
    assert.deepEqual(more, []);
    const call = tool.bind({ place: 'Ostend' });
    assert.ok(!('problem' in call));
    assert.deepEqual(await call.run({ signal }), {
      content: 'The tide at Ostend is 3.2 m.',
      isError: false,
    });
    // By the name that the server gave itself, also in another window.
    assert.deepEqual(names(), ['spare']);
    assert.equal(servers.counted, 1);
    await load();
    assert.deepEqual(names(), ['spare']);
    assert.equal(started().length, 1);
  });

  it('are started when ticked one by one, not by the box that ticks all', async () => {
    await define({ harbour: ['tide'], third: ['tide'], spare: ['tide', 'spare'] });
    const all: ListScript = (tools) => {
      tools.tickAll();
      tools.acceptTicked();
    };
    await withPerson({ lists: [all] }, open);
    assert.deepEqual(started(), []);
    assert.equal(switches.count().on, switches.own().length);
    const one: ListScript = async (tools) => {
      await tools.tick('spare');
      tools.tickAll();
      tools.acceptTicked();
    };
    const after: ListScript = async (tools) => {
      assert.ok(tools.labels.includes('harbour'));
      await tools.item('tide_now');
      tools.dismiss();
    };
    await withPerson({ lists: [one, after] }, open);
    assert.equal(started().length, 1);
    assert.deepEqual(names(), ['harbour', 'third']);
  });

  it('are started by the command, which asks whatever it is called with', async () => {
    await define({ harbour: ['tide'], spare: ['tide', 'spare'] });
    const run = async (ticks: readonly string[]) => {
      let result: unknown;
      const asked = await withPerson({ ticks }, async () => {
        result = await vscode.commands.executeCommand('switchboard.startMcpServers', 'harbour', ['spare']);
      });
      return { names: result, asked: asked.map(({ kind, text }) => `${kind}: ${text}`) };
    };
    assert.deepEqual(await run([]), { names: undefined, asked: ['pick: Start MCP Servers'] });
    assert.deepEqual(started(), []);
    assert.deepEqual(await run(['harbour']), {
      names: ['harbour'],
      asked: [
        'pick: Start MCP Servers',
        'information: Started harbour. Models can use the tools that you choose.',
      ],
    });
    assert.equal(started().length, 1);
    await run(['spare']);
    assert.deepEqual(await run(['spare']), { names: [], asked: ['information: No MCP servers to start.'] });
    assert.equal(started().length, 2);
  });

  const press = (name: string, meanwhile?: () => Promise<void>): ListScript => {
    return async (tools) => {
      await tools.press(name);
      await meanwhile?.();
      await eventually(async () => assert.notEqual((await tools.item(name)).description, 'Starting…'));
      tools.dismiss();
    };
  };

  async function commandsOf(action: () => Promise<unknown>): Promise<unknown[][]> {
    const { executeCommand } = vscode.commands;
    const commands = vscode.commands as { executeCommand: unknown };
    const ran: unknown[][] = [];
    commands.executeCommand = (...args: Parameters<typeof executeCommand>) => {
      ran.push(args);
      return executeCommand(...args);
    };
    try {
      await action();
    } finally {
      commands.executeCommand = executeCommand;
    }
    return ran;
  }

  it('say where the reason is when they fail', async () => {
    await define({ broken: ['broken'] });
    answer = 'Show Output';
    const ran = await commandsOf(() => withPerson({ lists: [press('broken')] }, open));
    assert.deepEqual(notices, [
      {
        severity: 'error',
        text: "Couldn't start MCP server broken. Its output has the reason.",
        actions: ['Show Output'],
      },
    ]);
    assert.ok(ran.some(([id, of]) => id === 'workbench.mcp.showOutput' && of === 'mcp.config.ws0.broken'));
    assert.deepEqual(names(), ['broken']);
  });

  it('are told of when their program is not found, which the editor never does', async () => {
    await vscode.workspace.fs.writeFile(
      file,
      Buffer.from(JSON.stringify({ servers: { gone: { command: join(starts, 'nowhere') } } })),
    );
    await eventuallyEqual(names, ['gone']);
    await withPerson({ lists: [press('gone')] }, open);
    assert.match(notices[0]?.text ?? '', /^Couldn't start MCP server gone/);
  });

  it('are told of when they have no tools, and offered no more', async () => {
    await define({ bare: ['empty'] });
    await withPerson(
      {
        lists: [
          async (tools) => {
            await tools.press('bare');
            await eventually(() => assert.equal(notices.length, 1));
            await eventually(() => assert.ok(!tools.labels.includes('bare')));
            tools.dismiss();
          },
        ],
      },
      open,
    );
    assert.match(notices[0]?.text ?? '', /^bare added no tools\. /);
    assert.equal(servers.counted, 0);
  });

  it('can be cancelled while they start, which ends their program', async () => {
    await define({ slow: ['silent'] });
    const cancel = async () => {
      await eventuallyEqual(() => [started().length, progress.length], [1, 1]);
      progress[0]?.cancel();
    };
    await withPerson({ lists: [press('slow', cancel)] }, open);
    assert.equal(progress[0]?.text, 'Starting MCP server slow…');
    assert.deepEqual(notices, []);
    const pid = Number(started()[0]?.split(' ')[1]);
    await eventually(() => assert.throws(() => process.kill(pid, 0)));
    assert.deepEqual(names(), ['slow']);
  });

  it('are asked for their inputs once, by the editor, which starts them even when that is dismissed', async () => {
    const input = { id: 'mode', type: 'promptString', description: 'Mode' };
    const asks = { command: process.execPath, args: [script, '${input:mode}', starts] };
    await vscode.workspace.fs.writeFile(
      file,
      Buffer.from(JSON.stringify({ servers: { asks }, inputs: [input] })),
    );
    await eventuallyEqual(names, ['asks']);
    const list: ListScript = async (tools) => {
      await tools.press('asks');
      await eventually(async () => {
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        assert.equal(started().length, 1);
      });
      await tools.item(harbourLabel);
      tools.dismiss();
    };
    const ran = await commandsOf(() => withPerson({ lists: [list] }, open));
    const asked = ran.filter(
      ([id, , options]) =>
        id === 'workbench.mcp.startServer' &&
        !(options as { errorOnUserInteraction?: boolean }).errorOnUserInteraction,
    );
    assert.equal(asked.length, 1);
    assert.deepEqual(notices, []);
  });

  it('are not offered where MCP is off, the workspace is not trusted, or the editor cannot start them', async () => {
    await define({ harbour: ['tide'] });
    assert.deepEqual(names(), ['harbour']);
    // The editor itself would end its servers and read them anew, into the next test.
    const { getConfiguration } = vscode.workspace;
    replace(vscode.workspace, 'getConfiguration', (section: string, scope?: vscode.Uri) =>
      section === 'chat.mcp' ? { get: () => 'none' } : getConfiguration(section, scope),
    );
    assert.deepEqual(names(), []);
    restoreAll();
    assert.deepEqual(names(), ['harbour']);
    replace(vscode.workspace, 'isTrusted', false);
    assert.deepEqual(names(), []);
    restoreAll();
    replace(vscode.commands, 'getCommands', async () => ['workbench.mcp.listServer']);
    await load();
    assert.deepEqual(names(), []);
  });

  it('are known by the names that the editor makes of theirs', async () => {
    const all = ['Harbour Office (v2)', 'io.github/tide', '潮汐', 'UPPER-case_1'];
    await define(Object.fromEntries(all.map((name) => [name, ['tide', name] as const])));
    assert.deepEqual(names(), all);
    for (const server of servers.toStart()) {
      const start = await servers.start(server, signal);
      assert.ok(start.state === 'started' && start.tools.length === 1, JSON.stringify([server, start]));
    }
    everywhere = createMemento();
    await load();
    assert.deepEqual(names(), []);
    assert.deepEqual(
      switches.others().map(({ key }) => key),
      [
        'mcp_harbour_offic_tide_now',
        'mcp_io_github_tid_tide_now',
        'mcp___tide_now',
        'mcp_upper-case_1_tide_now',
      ],
    );
  });

  it('show hostile names as text', async () => {
    await define({ '$(check) safe\n\u202Ename': ['tide'] });
    let labels: string[] = [];
    await withPerson(
      {
        lists: [
          (tools) => {
            ({ labels } = tools);
            tools.dismiss();
          },
        ],
      },
      open,
    );
    assert.equal(labels.at(-1), '\\$(check) safe ⏎ ⟨U+202E⟩name');
  });

  it('look like this', async () => {
    await define({ harbour: ['tide'], 'a server with a name that is quite long': ['tide'], spare: ['tide'] });
    const closing = open();
    await vscode.commands.executeCommand('quickInput.last');
    await takePictures('mcp-list');
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await closing;
  });
});
