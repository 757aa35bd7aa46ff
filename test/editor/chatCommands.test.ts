import { toPath } from '../../src/host/workspace/workspacePlaces.ts';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AttachmentSource } from '../../src/chat/attachments/attachment.ts';
import { ChatController } from '../../src/chat/chatController.ts';
import type { CatalogModel } from '../../src/chat/models/modelCatalog.ts';
import { type AskDependencies, askAboutCode } from '../../src/host/code/askAboutCode.ts';
import { createPrompt } from '../../src/host/window/createPrompt.ts';
import { registerFixActions } from '../../src/host/code/fixActions.ts';
import {
  type CommitMessageDependencies,
  generateCommitMessage,
} from '../../src/host/code/generateCommitMessage.ts';
import { savePrompt } from '../../src/host/panel/savePrompt.ts';
import type { Settings } from '../../src/host/settings.ts';
import { createToldHost } from '../../src/host/panel/toldHost.ts';
import { createVscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import type { Memory } from '../../src/settings/memory.ts';
import { createToolDependencies } from '../../src/tools/allTools.ts';
import { chatDependencies } from '../support/chatDependencies.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { scriptedModel } from '../support/scriptedModel.ts';
import { silentLog } from '../support/silentLog.ts';
import { withPerson } from './person.ts';
import { replace, restoreAll } from './replace.ts';
import type { AskModel } from '../../src/relay/streamModel.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';
import { gitIn } from '../support/git.ts';

describe('the chat commands', () => {
  afterEach(async () => {
    // The log that is shown in the panel counts as the active editor.
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await eventuallyEqual(() => vscode.window.activeTextEditor?.document.uri.scheme, undefined);
  });

  it('each return a value', async () => {
    const first = await vscode.commands.executeCommand('switchboard.newChat');
    const second = await vscode.commands.executeCommand('switchboard.newChat');
    assert.match(String(first), /^[0-9a-f-]{36}$/);
    assert.notEqual(first, second);
    // The editor may still be creating the panel.
    await eventuallyEqual(() => vscode.commands.executeCommand('switchboard.openChat'), true);
    assert.equal(await vscode.commands.executeCommand('switchboard.showLog'), true);
    assert.equal(await vscode.commands.executeCommand('switchboard.openSettings'), true);
  });

  describe('Add to Chat', () => {
    const add = (...args: unknown[]) => vscode.commands.executeCommand('switchboard.addToChat', ...args);
    const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
    const readme = () => vscode.Uri.joinPath(folder(), 'README.md');

    it('takes what the explorer hands over, each once', async () => {
      const docs = vscode.Uri.joinPath(folder(), 'docs');
      assert.equal(await add(docs, [readme(), docs]), 2);
      assert.equal(await add(readme(), undefined), 1);
    });

    it('takes each selection of the active editor, and all of a text without any', async () => {
      const editor = await vscode.window.showTextDocument(readme());
      assert.equal(await add(), 1);
      editor.selections = [new vscode.Selection(0, 0, 1, 0), new vscode.Selection(3, 0, 4, 2)];
      assert.equal(await add(), 2);
      assert.equal(await add(readme()), 2, 'from the menu of the editor');
      assert.equal(await add(readme(), { groupId: 0, editorIndex: 0 }), 1, 'from the menu of its tab');
    });

    it('is done by itself as chat.activeEditor has it, and nothing is told where that says so', async () => {
      const editor = await vscode.window.showTextDocument(readme());
      const dependencies = createToolDependencies(
        createVscodeWorkspace(() => ({ toolsExclude: [], toolsProtected: [] })),
        { workerFile: '', ripgrep: undefined, timeoutMs: 20_000 },
      );
      const memory = { instructionsOff: [] as readonly string[], isActiveEditorOff: false } as Memory;
      const told = async (level: string) => {
        const settings = { get: () => level } as unknown as Settings;
        const { facts } = createPrompt({ dependencies }, memory, settings);
        const host = createToldHost(memory, settings);
        const lines = (await facts({ since: undefined, files: new Map() })).join('\n');
        const fact = /^Active file: (.*)$/m.exec(lines)?.[1];
        return [fact, host.activeEditor()?.path, ...host.sourcesToAttach().map(({ type }) => type)];
      };
      const path = 'README.md';
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      assert.deepEqual(await told('never'), [undefined, undefined]);
      assert.deepEqual(await told('suggest'), [path, path]);
      assert.deepEqual(await told('selection'), [path, path]);
      assert.deepEqual(await told('always'), [path, path, 'path']);
      editor.selection = new vscode.Selection(0, 0, 0, 3);
      await eventuallyEqual(async () => (await told('suggest'))[0], `${path}, lines 1-1 selected`);
      assert.deepEqual(await told('never'), [undefined, undefined]);
      // The echo of the previous selection may still come.
      for (const level of ['selection', 'always'])
        await eventuallyEqual(() => told(level), [`${path}, lines 1-1 selected`, path, 'range']);
      memory.isActiveEditorOff = true;
      assert.equal((await told('always'))[0], undefined);
    });

    it('takes a text that was never saved', async () => {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'a thought' }));
      assert.equal(await add(), 1);
    });

    it('lets files be chosen where nothing is open', async () => {
      const window = vscode.window as unknown as Record<string, unknown>;
      const original = window['showOpenDialog'];
      window['showOpenDialog'] = () => Promise.resolve([readme()]);
      try {
        assert.equal(await add(), 1);
        window['showOpenDialog'] = () => Promise.resolve(undefined);
        assert.equal(await add(), 0);
      } finally {
        window['showOpenDialog'] = original;
      }
    });
  });

  describe('asking about code', () => {
    const asked: { text: string; sources: readonly AttachmentSource[]; mode: string }[] = [];
    const chat = new ChatController(chatDependencies({}));
    const view: AskDependencies['view'] = {
      show: async () => true,
      ask: async (text, sources, place) => {
        await place?.();
        asked.push({ text, sources, mode: chat.shown.choices.modeId });
        return true;
      },
    };
    const deps = { view, chat, notifications: new Notifications(silentLog) };
    const folder = () => vscode.workspace.workspaceFolders![0]!.uri;
    const code = () => vscode.Uri.joinPath(folder(), 'scratch', 'tide.abc');
    const path = () => toPath(code());
    const problems = vscode.languages.createDiagnosticCollection('tides');
    const selector = { pattern: '**/tide.abc' };
    const symbols = vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: ({ uri }) => [
        new vscode.SymbolInformation(
          'rise',
          vscode.SymbolKind.Function,
          '',
          new vscode.Location(uri, new vscode.Range(1, 0, 3, 1)),
        ),
      ],
    });
    const fixes = registerFixActions(() => true);
    let editor: vscode.TextEditor;
    before(() => vscode.workspace.fs.writeFile(code(), Buffer.from('top\nrise {\n  wrong\n}\nend\n')));
    beforeEach(async () => {
      asked.length = 0;
      editor = await vscode.window.showTextDocument(code());
      editor.selection = new vscode.Selection(0, 0, 0, 0);
    });
    afterEach(() => problems.clear());
    after(async () => {
      for (const each of [problems, symbols, fixes]) each.dispose();
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), 'scratch'), { recursive: true });
    });
    const whole = () => ({ type: 'path', path: path(), isEditor: true });
    const rise = () => ({ type: 'range', path: path(), name: 'rise', startLine: 2, endLine: 4 });

    it('takes the selection, else the function around the caret, else the whole file', async () => {
      assert.equal(await askAboutCode(deps, 'explainSelection'), 'sent');
      editor.selection = new vscode.Selection(2, 3, 2, 3);
      await askAboutCode(deps, 'generateTests');
      editor.selection = new vscode.Selection(3, 0, 5, 0);
      await askAboutCode(deps, 'improveSelection');
      assert.deepEqual(
        asked.map(({ sources }) => sources),
        [[whole()], [rise()], [{ type: 'range', path: path(), startLine: 4, endLine: 5 }]],
      );
      assert.match(asked[1]!.text, /^Write tests for the attached code/);
    });

    it('fixes the errors and warnings of the lines, and offers that at each', async () => {
      const at = new vscode.Range(2, 2, 2, 7);
      editor.selection = new vscode.Selection(2, 0, 2, 7);
      await askAboutCode(deps, 'fixSelection');
      assert.match(asked[0]!.text, /^Find and fix the bugs/);
      problems.set(code(), [new vscode.Diagnostic(at, 'No such word', vscode.DiagnosticSeverity.Error)]);
      const text = 'error 3:3 No such word';
      const attached = { type: 'text', name: 'Problems in tide.abc', text };
      await askAboutCode(deps, 'fixSelection');
      assert.match(asked[1]!.text, /^Fix the attached problems/);
      assert.deepEqual(asked[1]!.sources[1], attached);

      editor.selection = new vscode.Selection(0, 0, 0, 2);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        code(),
        at,
      );
      const { command } = actions.find(({ title }) => title === 'Fix with Switchboard')!;
      assert.ok(command?.command === 'switchboard.fixSelection');
      const [uri, range] = command.arguments as [vscode.Uri, vscode.Range];
      await askAboutCode(deps, 'fixSelection', { uri, range });
      assert.deepEqual(asked[2]!.sources, [rise(), attached], 'the function around the problem');
    });

    it('attaches the changes in Git for a review', async () => {
      await askAboutCode(deps, 'reviewChanges');
      assert.deepEqual(asked[0]!.sources, [{ type: 'changes' }]);
    });

    it('attaches the folders to a question about the project', async () => {
      await askAboutCode(deps, 'explainProject');
      assert.match(asked[0]!.text, /^Explain this project/);
      assert.deepEqual(asked[0]!.sources, [{ type: 'path', path: toPath(folder()) }]);
    });

    it('asks questions in mode Ask, and for work in the mode that was there', async () => {
      const requests = {
        ...{ explainProject: 'ask', explainSelection: 'ask', reviewChanges: 'ask' },
        ...{ fixSelection: 'agent', improveSelection: 'agent' },
        ...{ documentSelection: 'agent', generateTests: 'agent' },
      };
      for (const request of Object.keys(requests) as (keyof typeof requests)[]) {
        await chat.startNewChat();
        await askAboutCode(deps, request);
        assert.equal(asked.at(-1)!.mode, requests[request], request);
      }
    });

    it('keeps the request in the message box where no model is chosen, and asks nothing about no code', async () => {
      const run = (name: string) => vscode.commands.executeCommand(`switchboard.${name}`);
      editor.selection = new vscode.Selection(0, 0, 1, 2);
      assert.equal(await run('askAboutSelection'), 1);
      assert.equal(await run('documentSelection'), 'drafted');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      assert.equal(await run('askAboutSelection'), 0);
      assert.equal(await run('explainSelection'), 'none');
      assert.equal(await run('inlineEdit'), 'none');
    });
  });

  it('save what is typed, else the last message, as a prompt file, and replace none unasked', async () => {
    const folder = vscode.workspace.workspaceFolders![0]!.uri;
    const uri = vscode.Uri.joinPath(folder, '.github', 'prompts', 'high-tide.prompt.md');
    const text = async () => Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();
    const said = { type: 'user', id: 'u', text: 'When is low tide?' } as const;
    const chat = { shown: { conversation: { all: [said] } } };
    let saved: unknown;
    const save = async (draft: string) => {
      saved = await savePrompt({ chat, memory: { draft }, notifications: new Notifications(silentLog) });
    };
    try {
      await withPerson({ types: ['high tide'], picks: ['Prompt'] }, () => save(' Say "high"\ntoday '));
      assert.equal(saved, 'high-tide');
      assert.equal(await text(), '---\ndescription: "Say \\"high\\" today"\n---\n\nSay "high"\ntoday\n');
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri.toString());
      const asked = await withPerson({ types: ['high tide'], picks: ['Prompt'] }, () => save(''));
      assert.deepEqual(
        [saved, asked.at(-1)?.text],
        [undefined, 'Replace .github/prompts/high-tide.prompt.md?'],
      );
      assert.match(await text(), /today/);
      await withPerson({ types: ['high tide'], picks: ['Prompt'], presses: ['Replace'] }, () => save(''));
      assert.match(await text(), /^When is low tide\?$/m);
      await withPerson({ types: ['../..'], picks: ['Prompt'] }, () => save(''));
      assert.equal(saved, '-');
      await withPerson({ types: ['low tide'], picks: ['Skill'] }, () => save(''));
      const skill = vscode.Uri.joinPath(folder, '.agents', 'skills', 'low-tide', 'SKILL.md');
      assert.match(
        Buffer.from(await vscode.workspace.fs.readFile(skill)).toString(),
        /^---\nname: "low-tide"\ndescription: "When is low tide\?"\n---\n\nWhen is low tide\?\n$/,
      );
    } finally {
      for (const path of ['.github/prompts', '.agents']) {
        await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, path), { recursive: true });
      }
    }
  });

  it('save no prompt where the workspace is not trusted, and say so', async () => {
    replace(vscode.workspace, 'isTrusted', false);
    try {
      const chat = { shown: { conversation: { all: [] } } };
      let saved: unknown;
      const asked = await withPerson({ types: ['high tide'] }, async () => {
        saved = await savePrompt({
          chat,
          memory: { draft: 'When is high tide?' },
          notifications: new Notifications(silentLog),
        });
      });
      assert.equal(saved, undefined);
      assert.deepEqual(
        asked.map(({ text }) => text),
        ['Prompts can be saved only in a trusted workspace with a local folder.'],
      );
      assert.deepEqual(await vscode.workspace.findFiles('**/*.prompt.md'), []);
    } finally {
      restoreAll();
    }
  });

  describe('Generate Commit Message', () => {
    const root = () => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'commits');
    const git = (...args: string[]) => gitIn(root().fsPath, ...args);
    const write = (name: string, text: string) =>
      vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root(), name), Buffer.from(text));
    const dependencies = createToolDependencies(
      createVscodeWorkspace(() => ({ toolsExclude: [], toolsProtected: [] })),
      { workerFile: '', ripgrep: undefined, timeoutMs: 20_000 },
    );
    let box: { value: string };
    const generate = async (ask: AskModel, model: string | undefined = 'm'): Promise<string | undefined> => {
      const deps = {
        chat: { shown: { choices: { model } } },
        models: { ask, catalog },
        settings: { get: () => true },
        tools: async () => ({ dependencies }),
        view: { openModelPicker: async () => void pickers.push('opened') },
        notifications: new Notifications(silentLog),
      } as unknown as CommitMessageDependencies;
      return generateCommitMessage(deps, { rootUri: root() });
    };
    const pickers: string[] = [];
    let listed: Pick<CatalogModel, 'id' | 'name'>[] = [];
    const catalog = {
      isUnlisted: (id: string) => id === 'gone',
      state: { models: [] as typeof listed },
      // Nothing is listed before it is asked for.
      ensure: async () => void (catalog.state.models = listed),
    };
    const model = (text = 'Tell tides') =>
      scriptedModel([
        { type: 'textAdded', text },
        { type: 'modelFinished', reason: 'stop' },
      ]);
    before(async () => {
      await write('tide.txt', 'low\n');
      await write('wave.txt', 'one\n');
      await write('.env', 'S=1\n');
      git('init', '-q');
      git('add', '-A');
      git('commit', '-qm', 'Begin with waves');
      const extension = await vscode.extensions.getExtension('vscode.git')?.activate();
      box = (await extension.getAPI(1).openRepository(root())).inputBox;
    });
    beforeEach(() => {
      git('reset', '-q', '--hard');
      box.value = '';
      pickers.length = 0;
      listed = [];
      catalog.state.models = [];
    });
    after(() => vscode.workspace.fs.delete(root(), { recursive: true }));

    it('asks nobody where nothing is changed or no model is chosen', async () => {
      const { ask, requests } = model();
      const asked = await withPerson({}, () => generate(ask));
      assert.equal(asked[0]?.text, 'There are no changes to commit.');
      await write('wave.txt', 'two\n');
      await generate(ask, 'app:1');
      assert.deepEqual([pickers, requests, box.value], [['opened'], [], '']);
    });

    it('asks for a model for this time where the chat is with an app or with one that is gone', async () => {
      await write('wave.txt', 'two\n');
      listed = [{ id: 'tide', name: 'Tide' }];
      for (const chosen of ['app:1', 'gone']) {
        const { ask, requests } = model();
        const asked = await withPerson({ picks: ['Tide'] }, () => generate(ask, chosen));
        assert.deepEqual([asked[0]?.kind, asked[0]?.text], ['pick', 'Generate Commit Message']);
        assert.deepEqual([requests.map((each) => each.model), box.value], [['tide'], 'Tell tides']);
        box.value = '';
        await withPerson({ picks: ['No such'] }, () => generate(ask, chosen));
        assert.deepEqual([requests.length, box.value], [1, '']);
      }
      const { ask, requests } = model();
      assert.deepEqual(await withPerson({}, () => generate(ask, 'tide')), []);
      assert.equal(requests[0]?.model, 'tide');
    });

    it('is about what is staged, else all, without secret files', async () => {
      await write('tide.txt', 'high\n');
      await write('wave.txt', 'two\n');
      await write('.env', 'S=secretNow\n');
      const all = model();
      assert.equal(await generate(all.ask), 'Tell tides');
      assert.equal(box.value, 'Tell tides');
      const { content } = all.requests[0]!.messages[0]!;
      assert.match(content, /Begin with waves[^]*\+high[^]*\+two/);
      assert.doesNotMatch(content, /secretNow|\.env/);
      git('add', 'tide.txt');
      box.value = '';
      const staged = model();
      await generate(staged.ask);
      assert.match(staged.requests[0]!.messages[0]!.content, /\+high/);
      assert.doesNotMatch(staged.requests[0]!.messages[0]!.content, /two|wave\.txt/);
    });

    it('replaces nothing that the user typed, before or meanwhile, without asking', async () => {
      await write('tide.txt', 'higher\n');
      const { ask, requests } = model();
      box.value = 'mine';
      const asked = await withPerson({}, () => generate(ask));
      assert.deepEqual([asked[0]?.detail, requests, box.value], ['mine', [], 'mine']);
      await withPerson({ presses: ['Replace'] }, () => generate(ask));
      assert.equal(box.value, 'Tell tides');
      box.value = '';
      const typing: AskModel = (...args) => {
        box.value = 'typed meanwhile';
        return model().ask(...args);
      };
      await withPerson({}, () => generate(typing));
      assert.equal(box.value, 'typed meanwhile');
    });
  });
});
