import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import type { ToolItem } from '../../../src/chat/conversation/items.ts';
import { createToolBox } from '../../../src/chat/calls/toolBox.ts';
import { ToolApprovals } from '../../../src/chat/calls/toolApprovals.ts';
import { toMessages } from '../../../src/chat/context/toMessages.ts';
import type { ModelEvent } from '../../../src/relay/messages.ts';
import { createToolDependencies, workspaceTools } from '../../../src/tools/allTools.ts';
import { createReviewAccess } from '../../../src/tools/review/reviewAccess.ts';
import { EditReviews } from '../../../src/chat/edits/editReviews.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { ToolSet } from '../../../src/tools/toolSet.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { eventually } from '../../support/eventually.ts';
import { assertExchange } from '../../support/exchange.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { MemorySnapshots } from '../../support/memorySnapshots.ts';
import { MemoryWorkspace } from '../../support/memoryWorkspace.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { asAgent } from '../../support/builtInModes.ts';

const create = (id: string, path: string) => ({
  ...{ id, name: 'create_file' },
  arguments: JSON.stringify({ path, content: `${path}\n` }),
});
const calling = (...calls: ReturnType<typeof create>[]): ModelEvent[] => [
  { type: 'toolCallsCompleted', calls },
  { type: 'modelFinished', reason: 'tool_calls' },
];
const said = (text: string): ModelEvent[] => [
  { type: 'textAdded', text },
  { type: 'modelFinished', reason: 'stop' },
];

/** A workspace and a store that outlive windows. */
function setUp(...scripts: ModelEvent[][]) {
  const workspace = new MemoryWorkspace({ '/work/README.md': 'Hello\n' });
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1 });
  const store = new MemoryChatStore();
  const snapshots = new MemorySnapshots();
  const reviews = new EditReviews({
    access: async () => createReviewAccess(deps),
    snapshots: async () => snapshots,
    newId: () => 'r1',
  });
  const { streamModel, requests } = scriptedModel(...scripts);
  let ids = 0;
  const openWindow = () => {
    const approvals = new ToolApprovals(() => undefined);
    const chat = new ChatController({
      ...chatDependencies({ store, streamModel, newId: () => `id${++ids}` }),
      snapshots: async () => snapshots,
      tools: async ({ conversationId, journal, permissions }) =>
        createToolBox(
          () => new ToolSet(workspaceTools(deps)),
          approvals.forConversation(conversationId),
          permissions,
          (signal) => ({ signal, journal }),
        ),
    });
    /** Waits until the conversation has the question about a file; returns the id of its call. */
    const asked = async (path: string) => {
      for (;;) {
        const found = approvals.pending.find(({ question }) => question.input['path'] === path);
        const call = calls().find(({ id }) => id === found?.question.id);
        if (call?.state === 'asking') return call.id;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const calls = () => chat.shown.conversation.all.filter((item): item is ToolItem => item.type === 'tool');
    const outcomes = () => calls().map(({ outcome }) => outcome?.state);
    return { approvals, asked, calls, chat, outcomes };
  };
  const files = () => [...workspace.memory.entries.keys()].filter((path) => path !== '/work/README.md');
  return { files, openWindow, requests, reviews, store, workspace };
}

describe('calls that nobody decided', () => {
  it('are asked about again when the window was closed, with the edits before them known', async () => {
    const { files, openWindow, requests } = setUp(
      calling(create('a', 'new/a.md'), create('b', 'new/b.md'), create('c', 'new/c.md')),
      said('Done.'),
    );
    const first = openWindow();
    const ended = first.chat.shown.submit('Create them');
    first.approvals.answer(await first.asked('new/a.md'), 'allow');
    await first.asked('new/b.md');
    first.chat.dispose();
    await ended;

    const second = openWindow();
    assert.equal(await second.chat.openChat(first.chat.shown.conversation.id), true);
    assert.deepEqual(second.outcomes(), ['done', 'stopped', 'stopped']);
    assert.deepEqual(
      second.calls().map(({ state, outcome }) => [state, outcome?.unrun]),
      [
        ['running', undefined],
        ['asking', 'closed'],
        [undefined, 'closed'],
      ],
    );
    const edits = second.chat.shown.conversation.all.find((item) => item.type === 'edits');
    assert.deepEqual(
      edits?.edits.map(({ path, added, removed }) => [path, added, removed]),
      [['new/a.md', 1, 0]],
    );
    assert.deepEqual(second.approvals.pending, []);

    const resumed = second.chat.shown.resume();
    second.approvals.answer(await second.asked('new/b.md'), 'deny', 'One is enough');
    second.approvals.answer(await second.asked('new/c.md'), 'allow');
    await resumed;
    assert.deepEqual(second.outcomes(), ['done', 'denied', 'done']);
    assert.deepEqual(files(), ['/work/new/a.md', '/work/new/c.md']);
    assert.equal(requests.length, 2, 'the model is not asked to call again');
    assertExchange(requests[1]!.messages);
    assert.match(JSON.stringify(requests[1]), /One is enough/);
  });

  it('are asked about again after Stop, too, and told to the model when something else is said', async () => {
    const { openWindow, requests } = setUp(calling(create('a', 'a.md')), said('Fine.'));
    const { approvals, asked, chat, calls, outcomes } = openWindow();
    const ended = chat.shown.submit('Create it');
    await asked('a.md');
    await chat.shown.stop();
    assert.equal((await ended)?.reason, 'stopped');
    assert.deepEqual(
      calls().map(({ outcome }) => outcome?.unrun),
      ['stopped'],
    );
    const resumed = chat.shown.resume();
    await asked('a.md');
    await chat.shown.stop();
    await resumed;
    assert.deepEqual([outcomes(), approvals.pending], [['stopped'], []]);
    await chat.shown.submit('Leave it');
    assert.match(JSON.stringify(requests[1]), /stopped the turn before this call ran/);
    assertExchange(toMessages(chat.shown.conversation.all, '').map(({ message }) => message));
    assert.deepEqual(chat.shown.conversation.unrunCalls, []);
  });
});

describe('calls that were running', () => {
  /** A conversation with a call that ends only with its window. */
  async function running() {
    let isRunning = () => {};
    const begun = new Promise<void>((resolve) => (isRunning = resolve));
    let runs = 0;
    const deploy: Tool = {
      ...{ name: 'deploy', description: 'Deploys.', parameters: {}, risk: 'external' },
      bind: () => ({
        input: {},
        run: ({ signal }) =>
          new Promise((_, reject) => {
            runs++;
            signal.addEventListener('abort', () => reject(signal.reason as Error));
            isRunning();
          }),
      }),
    };
    const approvals = new ToolApprovals(() => 'allow');
    const call = calling({ id: 'd', name: 'deploy', arguments: '{}' });
    const { streamModel, requests } = scriptedModel(call, said('Let me look.'));
    const store = new MemoryChatStore();
    let ids = 0;
    const openWindow = () =>
      new ChatController({
        ...chatDependencies({ store, streamModel, newId: () => `id${++ids}` }),
        tools: async () =>
          createToolBox(
            () => new ToolSet([deploy]),
            approvals.forConversation('c'),
            asAgent,
            (signal) => ({ signal }),
          ),
      });
    const chat = openWindow();
    const ended = chat.shown.submit('Deploy');
    await begun;
    return { chat, ended, openWindow, requests, runs: () => runs };
  }

  it('are not run again by themselves: what they did is not known', async () => {
    const { chat, ended } = await running();
    await chat.shown.stop();
    await ended;
    const call = chat.shown.conversation.all.find((item) => item.type === 'tool');
    assert.deepEqual([call?.outcome?.state, call?.outcome?.unrun], ['stopped', undefined]);
    assert.deepEqual(chat.shown.conversation.unrunCalls, []);
  });

  it('nor are they when the window was closed: the model is told to look', async () => {
    const { chat, ended, openWindow, requests, runs } = await running();
    const call = () => chat.shown.conversation.all.find((item) => item.type === 'tool');
    await eventually(async () => assert.equal(call()?.state, 'running'));
    chat.dispose();
    await ended;
    const second = openWindow();
    await second.openChat(chat.shown.conversation.id);
    assert.deepEqual(second.shown.conversation.unrunCalls, []);
    await second.shown.resume();
    assert.equal(runs(), 1);
    assert.match(JSON.stringify(requests[1]?.messages), /Check whether it took effect/);
  });
});

describe('files a turn changed', () => {
  it('are put back one by one, and the folders made for them with the last one', async () => {
    const { files, openWindow, reviews, store, workspace } = setUp(
      calling(create('a', 'deep/er/a.md'), create('b', 'deep/b.md')),
      said('Done.'),
    );
    const { approvals, asked, chat } = openWindow();
    const ended = chat.shown.submit('Create them');
    approvals.answer(await asked('deep/er/a.md'), 'always');
    await ended;
    const edits = () => chat.shown.conversation.all.find((item) => item.type === 'edits')!;
    assert.deepEqual(edits().folders, ['/work/deep/er', '/work/deep']);
    const undo = (path?: string) => reviews.decide(chat.sessions[0]!, edits().id, 'undo', { path });
    const left = () => Object.entries(edits().reviews ?? {}).map(([path, { isDone }]) => [path, isDone]);
    await undo('deep/er/a.md');
    assert.deepEqual([files(), workspace.removedFolders], [['/work/deep/b.md'], ['/work/deep/er']]);
    assert.deepEqual(left(), [['deep/er/a.md', true]]);

    workspace.memory.set('/work/deep/b.md', 'by hand');
    await undo();
    assert.deepEqual(edits().reviews?.['deep/b.md']?.problem, { reason: 'changed' });
    assert.equal(workspace.memory.entries.get('/work/deep/b.md'), 'by hand');
    assert.deepEqual(workspace.removedFolders, ['/work/deep/er']);
    workspace.memory.set('/work/deep/b.md', 'deep/b.md\n');
    await undo();
    assert.deepEqual(left(), [
      ['deep/er/a.md', true],
      ['deep/b.md', true],
    ]);
    assert.deepEqual([files(), workspace.removedFolders.at(-1)], [[], '/work/deep']);
    assert.equal(await undo(), false);

    const again = openWindow();
    await again.chat.openChat(chat.shown.conversation.id);
    assert.deepEqual(again.chat.shown.conversation.all, chat.shown.conversation.all);
    const made = store.lines.get(chat.shown.conversation.id)!.filter((line) => line.includes('"editMade"'));
    assert.equal(made.length, 2, 'each edit is made once');
  });

  it('are put back together with the folders made for them, in whatever order those were made', async () => {
    const { files, openWindow, reviews, workspace } = setUp(
      calling(create('a', 'deep/a.md'), create('b', 'deep/er/b.md')),
      said('Done.'),
    );
    const { approvals, asked, chat } = openWindow();
    const ended = chat.shown.submit('Create them');
    approvals.answer(await asked('deep/a.md'), 'always');
    await ended;
    const edits = chat.shown.conversation.all.find((item) => item.type === 'edits')!;
    assert.deepEqual(edits.folders, ['/work/deep', '/work/deep/er']);
    await reviews.decide(chat.sessions[0]!, edits.id, 'undo');
    assert.deepEqual([files(), workspace.removedFolders], [[], ['/work/deep/er', '/work/deep']]);
  });
});
