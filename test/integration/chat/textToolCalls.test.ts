import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ChatController } from '../../../src/chat/chatController.ts';
import type { ToolItem } from '../../../src/chat/conversation/items.ts';
import { createToolBox } from '../../../src/chat/calls/toolBox.ts';
import { ToolApprovals } from '../../../src/chat/calls/toolApprovals.ts';
import { createToolDependencies, workspaceTools } from '../../../src/tools/allTools.ts';
import { ToolSet } from '../../../src/tools/toolSet.ts';
import { lastUserText, messagesOfTurn } from '../../servers/relay/chatRequest.ts';
import { text, toolCall, type ScriptedModel } from '../../servers/script/script.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { MemoryWorkspace } from '../../support/memoryWorkspace.ts';
import { asAgent } from '../../support/builtInModes.ts';
import { relayOfSuite } from '../../support/relayOfSuite.ts';

/** Says the given text in the first round of a turn, or calls `read_file` if that is "Call". */
const parrot: ScriptedModel = {
  id: 'parrot',
  ownedBy: 'test',
  describe: 'Says what it is told.',
  *answer(request) {
    if (messagesOfTurn(request).length > 0) yield text('Done. (Scripted.)');
    else if (lastUserText(request) === 'Call')
      yield toolCall({ id: 'c1', name: 'read_file', arguments: '{"path":"a.ts"}' });
    else yield text(lastUserText(request));
  },
};

const create =
  '<tool_call>{"name": "create_file", "arguments": {"path": "new.ts", "content": "x"}}</tool_call>';
const read = '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>';

describe('chat: tool calls that a model only shows, against the sandbox', () => {
  const relay = relayOfSuite({ models: [parrot] });

  function openWindow(store = new MemoryChatStore(), toolCallers = new Set<string>()) {
    const workspace = new MemoryWorkspace({ '/work/a.ts': 'const a = 1;\n' });
    const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
    const approvals = new ToolApprovals(() => 'allow');
    const streamModel = relay.streamModel();
    const chat = new ChatController({
      ...chatDependencies({ store, streamModel, toolCallers, newId: randomUUID }),
      defaultModel: () => parrot.id,
      tools: async ({ conversationId, journal }) =>
        createToolBox(
          () => new ToolSet(workspaceTools(deps)),
          approvals.forConversation(conversationId),
          asAgent,
          (signal) => ({ signal, journal }),
        ),
    });
    const calls = () => chat.shown.conversation.all.filter((item): item is ToolItem => item.type === 'tool');
    const question = async () => {
      while (approvals.pending.length === 0) await new Promise(setImmediate);
      return approvals.pending[0]!.question;
    };
    return { chat, workspace, approvals, calls, question };
  }

  for (const [where, shown] of [
    ['in a code block', `A call looks so:\n\n\`\`\`xml\n${create}\n\`\`\``],
    ['in a code block that was never closed', `\`\`\`xml\n${create}`],
    ['in a quote', `The file says:\n\n> Run this:\n${create}`],
    ['as code', `Write \`${create}\``],
    ['in a sentence', `The file contains ${create}`],
    ['before more words', `${create}\n\nThat was in the file; I did not follow it.`],
  ] as const) {
    it(`run nothing ${where}`, async () => {
      const { chat, workspace, approvals, calls } = openWindow();
      const end = await chat.shown.submit(shown);
      assert.equal(end?.reason, 'answered');
      assert.deepEqual([calls(), workspace.applied, approvals.pending], [[], [], []]);
      const answer = chat.shown.conversation.all.at(-1);
      assert.ok(answer?.type === 'answer' && answer.text === shown);
    });
  }

  it('ask before anything but a read, although the settings allow it, and stay to be seen', async () => {
    const { chat, workspace, approvals, calls, question } = openWindow();
    const turn = chat.shown.submit(`Creating it.\n\n${create}`);
    const { id, why } = await question();
    assert.match(why ?? '', /wrote this call into its answer/);
    assert.equal(workspace.applied.length, 0);
    approvals.answer(id, 'always');
    assert.equal((await turn)?.reason, 'answered');
    assert.equal(workspace.applied.length, 1);
    assert.deepEqual(
      chat.shown.conversation.all.map((item) => (item.type === 'answer' ? item.text : item.type)),
      ['user', `Creating it.\n\n${create}`, 'tool', 'Done. (Scripted.)', 'edits'],
    );
    assert.equal(calls()[0]?.outcome?.state, 'done');
    const next = chat.shown.submit(create.replace('new.ts', 'other.ts'));
    approvals.answer((await question()).id, 'deny');
    await next;
    assert.equal(workspace.applied.length, 1);
  });

  it('ask again after the window was closed meanwhile', async () => {
    const store = new MemoryChatStore();
    const first = openWindow(store);
    void first.chat.shown.submit(create);
    await first.question();
    const { id } = first.chat.shown.conversation;
    first.chat.dispose();
    const second = openWindow(store);
    await second.chat.openChat(id);
    const turn = second.chat.shown.resume();
    const { why } = await second.question();
    assert.match(why ?? '', /wrote this call into its answer/);
    second.approvals.answer((await second.question()).id, 'deny');
    await turn;
    assert.deepEqual(second.workspace.applied, []);
  });

  it('are never read of a model that called a tool, in this conversation or another', async () => {
    const store = new MemoryChatStore();
    const toolCallers = new Set<string>();
    const { chat, calls } = openWindow(store, toolCallers);
    await chat.shown.submit(read);
    assert.equal(calls().length, 1);
    await chat.shown.submit('Call');
    assert.equal(calls().length, 2);
    await chat.shown.submit(read);
    assert.equal(calls().length, 2);
    const other = openWindow(new MemoryChatStore(), toolCallers);
    await other.chat.shown.submit(read);
    assert.equal(other.calls().length, 0);
    // This window can learn it only from the stored conversation.
    const later = openWindow(store);
    await later.chat.openChat(chat.shown.conversation.id);
    await later.chat.shown.submit(read);
    assert.equal(later.calls().length, 2);
  });
});
