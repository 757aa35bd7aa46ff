import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Question } from '../../src/chat/calls/toolBox.ts';
import { ToolApprovals } from '../../src/chat/calls/toolApprovals.ts';
import type { PanelDependencies } from '../../src/host/panel/createPanel.ts';
import { createPanelHost } from '../../src/host/panel/panelHost.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { pickModel } from '../../src/host/connect/chooseModel.ts';
import { insertText, openAnswerLink } from '../../src/host/panel/pageActions.ts';
import { withPerson } from './person.ts';
import { replace, restoreAll } from './replace.ts';

describe('actions of the page in the editor', () => {
  afterEach(restoreAll);

  describe('Insert at Cursor', () => {
    const places = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'places');
    afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
    after(() => vscode.workspace.fs.delete(places, { recursive: true }));

    /** Each in a file of its own: the editor keeps the text of an untitled one of the same name for a while. */
    async function open(text: string): Promise<vscode.TextEditor> {
      const uri = vscode.Uri.joinPath(places, `${randomUUID()}.txt`);
      await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
      return vscode.window.showTextDocument(uri);
    }

    /** @param at the cursor is at the bar */
    async function inserted(text: string, at: string): Promise<string> {
      const editor = await open(at.replace('|', ''));
      const { document } = editor;
      const cursor = document.positionAt(at.indexOf('|'));
      editor.selection = new vscode.Selection(cursor, cursor);
      assert.equal(await insertText(text), undefined);
      return document.getText();
    }

    for (const [text, at, result] of [
      ['export const b = 2;', 'f() {\n}|\n', 'f() {\n}\nexport const b = 2;\n'],
      ['b();\nc();\n', 'a();|\nd();\n', 'a();\nb();\nc();\nd();\n'],
      ['b();\nc();', 'a();\n|d();\n', 'a();\nb();\nc();\nd();\n'],
      ['b();', '{\n  |a();\n}\n', '{\n  b();\n  a();\n}\n'],
      ['b();\n', 'a();\n|\nc();\n', 'a();\nb();\n\nc();\n'],
      ['b()', 'const a = |\n', 'const a = b()\n'],
      ['b', 'f(a, | c)', 'f(a, b c)'],
    ] as const) {
      it(`keeps lines apart: ${JSON.stringify(at)}`, async () => {
        assert.equal(await inserted(text, at), result);
      });
    }

    it('replaces what is selected with the text alone', async () => {
      const editor = await open('one two');
      editor.selection = new vscode.Selection(0, 4, 0, 7);
      await insertText('2');
      assert.equal(editor.document.getText(), 'one 2');
    });
  });

  it('give the focus back to the panel when what they ask has ended, however it did', async () => {
    const commands = vscode.commands as { executeCommand: unknown };
    const { executeCommand } = commands;
    const run: string[] = [];
    commands.executeCommand = async (command: string) => {
      run.push(command);
      if (command === 'switchboard.addApp') throw new Error('Dismissed');
    };
    try {
      const relays = { current: undefined, all: [] };
      const host = createPanelHost({ relays, models: {} } as unknown as PanelDependencies);
      for (const act of [() => host.connectRelay(), () => host.addApp()]) {
        act();
        await eventuallyEqual(() => run.at(-1), 'switchboard.chat.focus');
        run.push('-');
      }
      assert.deepEqual(run, [
        ...['switchboard.connectRelay', 'switchboard.chat.focus', '-'],
        ...['switchboard.addApp', 'switchboard.chat.focus', '-'],
      ]);
    } finally {
      commands.executeCommand = executeCommand;
    }
  });

  it('ask for another model to retry with, those not for chat behind a line of their own', async () => {
    const models = [
      { id: 'whisper', name: 'whisper', kind: 'other' },
      { id: 'tide', name: 'Tide', vendor: 'harbour' },
    ];
    const rows: unknown[] = [];
    replace(vscode.window, 'showQuickPick', async (items: vscode.QuickPickItem[]) => {
      rows.push(...items.map(({ label, description, kind }) => description || kind || label));
      return items.at(-1);
    });
    assert.equal(await pickModel({ state: { models } } as never), 'whisper');
    assert.deepEqual(rows, ['harbour · tide', vscode.QuickPickItemKind.Separator, 'whisper']);
  });

  it('allow more than the call that is asked about only once a dialog was agreed to', async () => {
    const kept: string[] = [];
    const rule = (label: string) => ({
      label,
      detail: `What ${label} means`,
      keep: () => void kept.push(label),
    });
    const approvals = new ToolApprovals(() => undefined);
    const always = { ...rule('Allow this'), wider: rule('Allow all') };
    const question: Question = {
      ...{ id: 'call', name: 'run_command', title: 'Run', input: { command: 'pwd -P' }, always },
    };
    const decision = approvals.forConversation('chat').ask(question, new AbortController().signal);
    const host = createPanelHost({
      ...{ relays: { current: undefined, all: [] }, models: {}, approvals },
    } as unknown as PanelDependencies);
    const answer = async (presses: string[]) => {
      const asked = await withPerson({ presses }, () => {
        const ended = new Promise<void>((resolve) => {
          const run = async (command: string) => void (command === 'switchboard.chat.focus' && resolve());
          replace(vscode.commands, 'executeCommand', run);
        });
        host.answerTool('call', 'wider', undefined);
        return ended;
      }).finally(restoreAll);
      return asked.map(({ text, detail, buttons }) => ({ text, detail, buttons }));
    };
    const dialog = { text: 'Allow all?', detail: 'What Allow all means', buttons: ['Always Allow'] };
    assert.deepEqual(await answer([]), [dialog]);
    assert.deepEqual(await answer(['Always Allow']), [dialog]);
    assert.deepEqual([await decision, kept], [{ allow: true }, ['Allow all']]);
  });

  describe('a link of an answer', () => {
    const env = vscode.env as { openExternal: unknown };
    const { openExternal } = env;
    let opened: unknown[];
    beforeEach(() => {
      opened = [];
      env.openExternal = async (target: unknown) => opened.push(target) > 0;
    });
    afterEach(() => void (env.openExternal = openExternal));

    it('is left to the question of the editor, with its address as it is', async () => {
      const href = 'https://example.com/a%2Fb?x=1&y=%3D#c';
      const asked = await withPerson({}, () => openAnswerLink(href));
      assert.deepEqual([asked, opened], [[], [href]]);
    });

    it('is asked about where the editor asks nothing', async () => {
      const href = 'mailto:a@example.com?subject=a=b';
      const open = () =>
        withPerson({ answers: ['Copy Address', 'Open Link'] }, async () => {
          await openAnswerLink(href);
          assert.equal(await vscode.env.clipboard.readText(), href);
          assert.deepEqual(opened, []);
          await openAnswerLink(href);
        });
      const asked = await open();
      assert.deepEqual(
        asked.map(({ detail }) => detail),
        [href, href],
      );
      assert.deepEqual(opened, [href]);
    });

    it('reaches no command, file or other program', async () => {
      for (const href of [
        'command:workbench.action.files.newUntitledFile',
        'file:///etc/passwd',
        'vscode://x/y',
        'nothing',
      ])
        await openAnswerLink(href);
      assert.deepEqual(opened, []);
    });
  });
});
