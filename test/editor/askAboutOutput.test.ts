import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AttachmentSource } from '../../src/chat/attachments/attachment.ts';
import { ChatController } from '../../src/chat/chatController.ts';
import type { AskDependencies } from '../../src/host/code/askAboutCode.ts';
import { askAboutTest, explainTerminalSelection } from '../../src/host/code/askAboutOutput.ts';
import { toPath } from '../../src/host/workspace/workspacePlaces.ts';
import { chatDependencies } from '../support/chatDependencies.ts';
import { eventually } from '../support/eventually.ts';
import { withPerson } from './person.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';
import { silentLog } from '../support/silentLog.ts';

const { clipboard } = vscode.env;

describe('asking about output', function () {
  this.timeout(60_000);
  let asked: { text: string; sources: readonly AttachmentSource[]; mode: string }[] = [];
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
  beforeEach(async () => {
    asked = [];
    await chat.startNewChat();
  });

  it('sends what is selected in the terminal, and puts the text of the clipboard back', async () => {
    const written = new vscode.EventEmitter<string>();
    let isOpen = false;
    const terminal = vscode.window.createTerminal({
      name: 'tides',
      pty: {
        onDidWrite: written.event,
        open: () => void (isOpen = true),
        close: () => undefined,
      },
    });
    try {
      terminal.show();
      await eventually(() => assert.ok(isOpen));
      written.fire('Error: ebb at noon\r\n');
      await clipboard.writeText('kept');
      await eventually(async () => {
        await vscode.commands.executeCommand('workbench.action.terminal.selectAll');
        assert.equal(await explainTerminalSelection(deps), 'sent');
        const [source] = asked.at(-1)!.sources;
        assert.ok(source?.type === 'text' && source.text.includes('Error: ebb at noon'));
      });
      assert.match(asked.at(-1)!.text, /^Explain the attached terminal output\./);
      assert.equal(asked.at(-1)!.mode, 'ask');
      assert.equal(await clipboard.readText(), 'kept');

      asked = [];
      await vscode.commands.executeCommand('workbench.action.terminal.clearSelection');
      const told = await withPerson({}, async () =>
        assert.equal(await explainTerminalSelection(deps), 'none'),
      );
      assert.deepEqual([told.map(({ text }) => text), asked], [['Select text in the terminal first.'], []]);
      assert.equal(await clipboard.readText(), 'kept');
    } finally {
      terminal.dispose();
    }
  });

  it('sends the lines of a failed test and its message', async () => {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'tides.test.ts');
    const path = toPath(uri);
    const tests = vscode.tests.createTestController('asking', 'Asking');
    try {
      const test = tests.createTestItem('high', 'is high at noon', uri);
      test.range = new vscode.Range(4, 0, 9, 1);
      const message = vscode.TestMessage.diff('Not equal', 'high', 'low');
      message.location = new vscode.Location(uri, new vscode.Position(6, 2));
      assert.equal(await askAboutTest(deps, 'fix', { test, message }), 'sent');
      assert.match(asked[0]!.text, /^Fix the failing test "is high at noon"\./);
      assert.deepEqual(asked[0]!.sources, [
        { type: 'range', path, startLine: 5, endLine: 10 },
        {
          type: 'text',
          name: 'Message of is high at noon',
          text: `${path}:7\nNot equal\nexpected:\nhigh\nactual:\nlow`,
        },
      ]);

      assert.equal(await askAboutTest(deps, 'explain', test), 'sent');
      assert.match(asked[1]!.text, /^Explain why the test "is high at noon" fails/);
      assert.equal(asked[1]!.sources.length, 1);
      assert.deepEqual(
        asked.map(({ mode }) => mode),
        ['agent', 'ask'],
      );

      const loose = new vscode.TestMessage(new vscode.MarkdownString('**Timed out**'));
      loose.location = new vscode.Location(uri, new vscode.Range(2, 0, 2, 5));
      assert.equal(await askAboutTest(deps, 'explain', { message: loose }), 'sent');
      assert.deepEqual(asked[2]!.sources[0], { type: 'range', path, startLine: 1, endLine: 23 });

      assert.equal(await askAboutTest(deps, 'fix', undefined), 'none');
      assert.equal(await askAboutTest(deps, 'fix', { message: 7 }), 'none');
    } finally {
      tests.dispose();
    }
  });
});
