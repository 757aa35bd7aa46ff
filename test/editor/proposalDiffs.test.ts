import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../src/base/emitter.ts';
import type { ChatChange, ChatController } from '../../src/chat/chatController.ts';
import { ToolApprovals } from '../../src/chat/calls/toolApprovals.ts';
import { Conversation } from '../../src/chat/conversation/conversation.ts';
import { ProposalDiffs } from '../../src/host/approvals/proposalDiffs.ts';
import { eventuallyEqual } from '../support/eventually.ts';

describe('diffs of proposed edits: in the editor', () => {
  const approvals = new ToolApprovals(() => undefined);
  const changes = new Emitter<ChatChange>();
  const shown = { conversation: new Conversation('c') };
  const chat = { shown, onDidChange: changes.event } as unknown as ChatController;
  let diffs: ProposalDiffs;
  before(() => (diffs = new ProposalDiffs(approvals, chat)));
  after(() => diffs.dispose());

  const tabs = () =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .map(({ label }) => label)
      .filter((label) => label.includes('(proposed'));
  const ask = (id: string) => {
    const file = { path: `${id}.txt`, before: '', after: 'x\n', added: 1, removed: 0 };
    const proposal = { files: [file], apply: async () => ({ content: '', isError: false }) };
    const question = { id, name: 'create_file', input: {}, proposal };
    return approvals.forConversation('c').ask(question, new AbortController().signal);
  };

  it('close when the edit is made, which need not wait for them', async () => {
    const decided = ask('one');
    await eventuallyEqual(tabs, ['one.txt (proposed: +1 −0)']);
    let closed = 0;
    const listening = vscode.window.tabGroups.onDidChangeTabs((event) => (closed += event.closed.length));
    approvals.answer('one', 'allow');
    assert.equal((await decided).allow, true);
    changes.fire({ type: 'toolStateChanged', id: 'one', state: 'running' });
    // Waits for earlier requests to the editor.
    await vscode.workspace.applyEdit(new vscode.WorkspaceEdit());
    assert.deepEqual([tabs().length, closed], [1, 0]);
    changes.fire({ type: 'editMade', edit: { path: 'one.txt', realPath: '/one.txt' } });
    await eventuallyEqual(tabs, []);
    listening.dispose();
  });

  it('close at once where the conversation is not in view any more', async () => {
    const decided = ask('two');
    await eventuallyEqual(() => tabs().length, 1);
    shown.conversation = new Conversation('another');
    approvals.answer('two', 'deny');
    assert.equal((await decided).allow, false);
    await eventuallyEqual(tabs, []);
  });
});
