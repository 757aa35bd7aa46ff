import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { UrgentWork } from '../../src/base/async/urgentWork.ts';
import { Emitter } from '../../src/base/emitter.ts';
import type { ChatChange, ChatController } from '../../src/chat/chatController.ts';
import { ToolApprovals } from '../../src/chat/calls/toolApprovals.ts';
import { Conversation } from '../../src/chat/conversation/conversation.ts';
import { createApprovalHost, type ApprovalHost } from '../../src/host/approvals/approvalHost.ts';
import { ProposalDiffs } from '../../src/host/approvals/proposalDiffs.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { replace, restoreAll } from './replace.ts';

describe('diffs of proposed edits: in the editor', () => {
  const approvals = new ToolApprovals(() => undefined);
  const changes = new Emitter<ChatChange>();
  const shown = { conversation: new Conversation('c') };
  const chat = { shown, onDidChange: changes.event } as unknown as ChatController;
  let diffs: ProposalDiffs;
  before(() => (diffs = new ProposalDiffs(approvals, chat)));
  beforeEach(() => (shown.conversation = new Conversation('c')));
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

describe('questions of calls: in the editor', () => {
  const urgent = new UrgentWork();
  const approvals = new ToolApprovals(() => undefined, urgent);
  const shown = { conversation: new Conversation('c') };
  const done: string[] = [];
  const chat = {
    ...{ shown, sessions: [], onDidChange: new Emitter<ChatChange>().event },
    openChat: async (id: string) => void done.push(`opened ${id}`),
  } as unknown as ChatController;
  const view = {
    isVisible: false,
    show: async () => true,
    reveal: async ({ id }: { id: string }) => void done.push(`revealed ${id}`),
    answerByKey: async (decision: string) => void done.push(`${decision} by key`),
  };
  let host: ApprovalHost;
  before(() => {
    const sights = { of: () => 'seen' as const, onDidChange: new Emitter<void>().event };
    const notifications = { notify: () => assert.fail('A question in view needs no notification.') };
    host = createApprovalHost({ approvals, chat, view, sights, notifications } as never);
  });
  after(() => host.dispose());
  afterEach(() => {
    for (const { question } of approvals.pending) approvals.answer(question.id, 'deny');
    urgent.end();
    done.length = 0;
    view.isVisible = false;
    restoreAll();
  });

  const proposed = () => {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  };
  const ask = (id: string, { path = `${id}.txt`, conversation = 'c' } = {}) => {
    const file = { path, before: 'old', after: 'new', added: 1, removed: 1 };
    const proposal = { files: [file], apply: async () => ({ content: '', isError: false }) };
    const question = { id, name: 'edit_file', input: {}, proposal };
    return approvals.forConversation(conversation).ask(question, new AbortController().signal);
  };
  const inView = (id: string) => eventuallyEqual(() => proposed()?.modified.path.split('/')[2], id);

  it('are answered in the diff that is in view, and not by another file', async () => {
    replace(vscode.window, 'setStatusBarMessage', (text: string) => done.push(text));
    const first = ask('first');
    await inView('first');
    const diff = proposed()!;
    const texts = [diff.original, diff.modified].map((uri) => vscode.workspace.openTextDocument(uri));
    assert.deepEqual(
      (await Promise.all(texts)).map((document) => document.getText()),
      ['old', 'new'],
    );
    assert.equal(host.answerProposal('allow', vscode.Uri.file('/first/first/first.txt')), false);
    const second = ask('second');
    await inView('second');
    assert.equal(host.answerProposal('deny', diff.modified), true);
    assert.deepEqual(await first, { allow: false });
    assert.equal(approvals.find('second')?.question.id, 'second');
    assert.equal(host.answerProposal('allow', undefined), true);
    assert.deepEqual(await second, { allow: true });
    assert.deepEqual(done, ['This call was already allowed or denied.'], 'of the file that is no question');
    assert.equal(host.answerProposal('allow', diff.modified), false);
    assert.equal(done.length, 2);
  });

  it('are not answered in a diff that does not show all of them, but shown', async () => {
    void ask('long', { path: `${'folder/'.repeat(500)}a.txt` });
    await inView('long');
    assert.equal(host.answerProposal('allow', undefined), false);
    assert.equal(approvals.pending.length, 1);
    await eventuallyEqual(() => done, ['revealed long']);
    assert.equal(host.answerProposal('deny', undefined), true);
  });

  it('are counted in the status bar as long as they wait, by an item that leads to them', async () => {
    const items: vscode.StatusBarItem[] = [];
    replace(vscode.window, 'createStatusBarItem', () => {
      const item = { show() {}, dispose: () => items.pop() } as unknown as vscode.StatusBarItem;
      items.push(item);
      return item;
    });
    const counted = () => items.map(({ text, command }) => [text, command]);
    const first = ask('first');
    assert.deepEqual(counted(), [['$(question) 1 call needs approval', 'switchboard.showApproval']]);
    void ask('second', { conversation: 'd' });
    assert.deepEqual(counted(), [['$(question) 2 calls need approval', 'switchboard.showApproval']]);
    for (const { question } of approvals.pending) approvals.answer(question.id, 'deny');
    await first;
    assert.deepEqual(counted(), []);
  });

  it('are shown in turn, in their conversations, and answered by a key only where they are in view', async () => {
    assert.equal(await host.showNext(), false);
    void ask('here');
    void ask('there', { conversation: 'd' });
    await inView('here');
    view.isVisible = true;
    assert.equal(await host.answerByKey('allow'), true);
    view.isVisible = false;
    for (let count = 0; count < 3; count++) assert.equal(await host.answerByKey('allow'), true);
    assert.deepEqual(done, ['allow by key', 'revealed here', 'opened d', 'revealed there', 'revealed here']);
    assert.equal(approvals.pending.length, 2);
    approvals.answer('here', 'deny');
    done.length = 0;
    view.isVisible = true;
    await host.answerByKey('allow');
    assert.deepEqual(done, ['opened d', 'revealed there']);
  });
});
