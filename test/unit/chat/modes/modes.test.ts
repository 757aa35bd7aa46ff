import assert from 'node:assert/strict';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import type { ToolItem } from '../../../../src/chat/conversation/items.ts';
import type { Mode } from '../../../../src/chat/modes/mode.ts';
import { ProjectModes } from '../../../../src/chat/modes/projectModes.ts';
import { toMessages } from '../../../../src/chat/context/toMessages.ts';
import type { ModelEvent } from '../../../../src/relay/messages.ts';
import type { Tool } from '../../../../src/tools/tool.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../../support/memoryChatStore.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';
import { toolsUnderTest } from '../../../support/toolsUnderTest.ts';

const answer = (text: string): ModelEvent[] => [
  { type: 'textAdded', text },
  { type: 'modelFinished', reason: 'stop' },
];

let calls = 0;
const call = (name: string, input: object): ModelEvent[] => [
  { type: 'toolCallsCompleted', calls: [{ id: `call${++calls}`, name, arguments: JSON.stringify(input) }] },
  { type: 'modelFinished', reason: 'tool_calls' },
];

const edit = (path: string, oldText: string, newText: string) =>
  call('edit_file', { path, replacements: [{ oldText, newText }] });

const deploy: Tool = {
  name: 'deploy',
  description: '',
  parameters: { type: 'object' },
  risk: 'external',
  bind: () => ({ input: {}, run: async () => ({ content: 'deployed', isError: false }) }),
};

function setUp({
  scripts = [],
  mode = 'agent',
  rules = {},
  store = new MemoryChatStore(),
  described = [],
}: {
  scripts?: ModelEvent[][];
  mode?: string;
  rules?: Record<string, 'allow' | 'ask' | 'deny'>;
  store?: MemoryChatStore;
  described?: readonly Mode[];
}) {
  const under = toolsUnderTest(
    { '/work/a.ts': 'let a = 1;\n', '/work/.vscode/settings.json': '{}\n' },
    { rules, more: [deploy] },
  );
  const { streamModel, requests } = scriptedModel(...scripts);
  const dependencies = {
    ...chatDependencies({
      streamModel,
      store,
      modes: new ProjectModes(
        () => mode,
        async () => described,
      ),
    }),
    tools: under.tools,
  };
  const chat = new ChatController(dependencies);
  const results = () => chat.shown.conversation.all.filter((item): item is ToolItem => item.type === 'tool');
  const sent = (request: number) =>
    requests[request]?.messages.filter(({ role }) => role === 'user').map(({ content }) => content) ?? [];
  return { ...under, chat, requests, results, sent, store };
}

const allowAll = { edit_file: 'allow', create_file: 'allow', deploy: 'allow' } as const;

describe('chat: modes', () => {
  for (const mode of ['ask', 'plan']) {
    it(`refuses every call that does more than read in ${mode}, whatever the settings allow`, async () => {
      const { chat, results, workspace, approvals, requests } = setUp({
        mode,
        rules: allowAll,
        scripts: [
          edit('a.ts', '1', '2'),
          call('create_file', { path: 'b.ts', content: 'x' }),
          call('deploy', {}),
          call('read_file', { path: 'a.ts' }),
          answer('Done.'),
        ],
      });
      chat.shown.choices.selectApprovals('editsAllowed');
      await chat.shown.submit('Change it');
      assert.deepEqual(
        results().map(({ name, outcome }) => [name, outcome?.state]),
        [
          ['edit_file', 'denied'],
          ['create_file', 'denied'],
          ['deploy', 'denied'],
          ['read_file', 'done'],
        ],
      );
      const name = mode === 'ask' ? 'Ask' : 'Plan';
      assert.match(results()[0]?.outcome?.content ?? '', new RegExp(`button "Mode: ${name}"`));
      assert.match(results()[0]?.outcome?.content ?? '', /Nothing was changed/);
      assert.equal(results()[0]?.outcome?.refusedBy, name);
      assert.deepEqual(workspace.applied, []);
      assert.deepEqual(approvals.pending, []);
      // Every mode offers the same tools, so that switching keeps the vendor's cache.
      assert.ok(requests[0]?.tools?.some((tool) => tool.name === 'edit_file'));
    });
  }

  it('refuses an edit that was allowed after the mode had become Ask', async () => {
    const { chat, results, workspace, approvals, question } = setUp({
      scripts: [edit('a.ts', '1', '2'), answer('Done.')],
    });
    const ended = chat.shown.submit('Change it');
    const { id } = await question();
    chat.shown.choices.selectMode('ask');
    approvals.answer(id, 'allow');
    await ended;
    assert.equal(results()[0]?.outcome?.refusedBy, 'Ask');
    assert.deepEqual(workspace.applied, []);
  });

  it('only reads in a mode whose description is not there any more', async () => {
    const { chat, results, workspace } = setUp({
      mode: '.github/agents/gone.agent.md',
      rules: allowAll,
      scripts: [edit('a.ts', '1', '2'), call('read_file', { path: 'a.ts' }), answer('Done.')],
    });
    await chat.shown.submit('Change it');
    assert.deepEqual(
      results().map(({ outcome }) => [outcome?.state, outcome?.refusedBy]),
      [
        ['denied', 'gone (gone.agent.md)'],
        ['done', undefined],
      ],
    );
    assert.deepEqual(workspace.applied, []);
  });

  it('runs in a mode of the project only its tools, and tells its instructions once', async () => {
    const id = '.github/agents/creator.agent.md';
    const creator: Mode = {
      ...{ id, name: 'Creator', isReadOnly: false, tools: new Set(['create_file']) },
      instructions: 'Only ever create files.',
    };
    const { chat, results, sent, workspace } = setUp({
      mode: id,
      described: [creator],
      rules: allowAll,
      scripts: [
        edit('a.ts', '1', '2'),
        call('read_file', { path: 'a.ts' }),
        call('create_file', { path: 'b.ts', content: 'x' }),
        answer('Done.'),
        answer('Once more.'),
        answer('And again.'),
      ],
    });
    await chat.shown.submit('Change it');
    assert.deepEqual(
      results().map(({ outcome }) => [outcome?.state, outcome?.refusedBy]),
      [
        ['denied', 'Creator'],
        ['denied', 'Creator'],
        ['done', undefined],
      ],
    );
    assert.equal(workspace.applied.length, 1);
    await chat.shown.submit('Again');
    assert.match(
      sent(4)[0] ?? '',
      /^\[Mode: Creator\..*create_file.*\]\nOnly ever create files\.\n\nChange it$/,
    );
    assert.match(sent(4)[1] ?? '', /^\[Mode: Creator, as before\]\n\nAgain$/);
    // The referenced turns are summarised by then.
    const newest = chat.shown.conversation.all.findLast((item) => item.type === 'user');
    const messages = toMessages(
      [
        ...chat.shown.conversation.all.slice(0, chat.shown.conversation.all.indexOf(newest!)),
        { type: 'summary', id: 's', text: 'Short' },
        newest!,
      ],
      '',
    );
    assert.match(messages[0]?.message.content ?? '', /Short[^]*Only ever create files\.\n\nAgain$/);
  });

  it('edits without asking where edits are allowed, but for protected files and tools of others', async () => {
    const { chat, results, workspace, approvals, question } = setUp({
      scripts: [
        edit('a.ts', '1', '2'),
        edit('.vscode/settings.json', '{}', '{ }'),
        call('deploy', {}),
        answer('Done.'),
      ],
    });
    chat.shown.choices.selectApprovals('editsAllowed');
    const ended = chat.shown.submit('Change it');
    const first = await question();
    assert.equal(first.proposal?.files[0]?.path, '.vscode/settings.json');
    assert.deepEqual(
      workspace.applied.map(({ path }) => path),
      ['/work/a.ts'],
    );
    approvals.answer(first.id, 'deny');
    const second = await question();
    assert.equal(second.name, 'deploy');
    approvals.answer(second.id, 'deny');
    await ended;
    assert.deepEqual(
      results().map(({ outcome }) => outcome?.state),
      ['done', 'denied', 'denied'],
    );
  });

  it('asks for edits first, and where the settings say so also when edits are allowed', async () => {
    for (const { rules, level } of [
      { rules: {}, level: 'askFirst' },
      { rules: { edit_file: 'ask' }, level: 'editsAllowed' },
    ] as const) {
      const { chat, approvals, question } = setUp({
        rules,
        scripts: [edit('a.ts', '1', '2'), answer('Done.')],
      });
      chat.shown.choices.selectApprovals(level);
      const ended = chat.shown.submit('Change it');
      const { id } = await question();
      approvals.answer(id, 'deny');
      await ended;
    }
  });

  it('tells the mode in the newest message, and what was sent before stays as it was', async () => {
    const { chat, sent, requests } = setUp({ scripts: [answer('1'), answer('2'), answer('3'), answer('4')] });
    await chat.shown.submit('One');
    chat.shown.choices.selectMode('plan');
    await chat.shown.submit('Two');
    await chat.shown.submit('Three');
    chat.shown.choices.selectMode('agent');
    await chat.shown.submit('Four');
    assert.deepEqual(sent(0), ['One']);
    assert.match(sent(1)[1] ?? '', /^\[Mode: Plan\. .*## Plan.*\]\n\nTwo$/s);
    assert.match(sent(2)[2] ?? '', /^\[Mode: Plan\. /);
    assert.match(sent(3)[3] ?? '', /^\[Mode: Agent\. .*\]\n\nFour$/);
    for (let at = 1; at < requests.length; at++) {
      const before = JSON.stringify(requests[at - 1]?.messages).slice(0, -1);
      assert.ok(JSON.stringify(requests[at]?.messages).startsWith(before));
      assert.deepEqual(requests[at]?.tools, requests[0]?.tools);
    }
  });

  it('starts a plan: it is handed to an agent word for word, whatever becomes of what was said before', async () => {
    const plan = '## Plan\n\n1. Set `a` to 2 in a.ts.  \n2. Run the tests.\n\n```ts\nlet a = 2;\n```';
    const { chat, sent, results, workspace, approvals, question } = setUp({
      mode: 'plan',
      scripts: [
        answer(`I looked at a.ts.\n\n${plan}\n`),
        edit('a.ts', '1', '2'),
        answer('Done.'),
        answer('Sure.'),
      ],
    });
    await chat.shown.submit('Make a 2');
    const planned = chat.shown.conversation.all.findLast((item) => item.type === 'answer');
    assert.equal(await chat.shown.startPlan('id-of-nothing'), undefined);
    const ended = chat.shown.startPlan(planned?.id ?? '');
    approvals.answer((await question()).id, 'allow');
    assert.equal(chat.shown.choices.modeId, 'agent');
    await ended;
    assert.equal(results()[0]?.outcome?.state, 'done');
    assert.equal(workspace.applied.length, 1);
    assert.match(sent(1)[1] ?? '', /^\[Mode: Agent\./);
    assert.ok(sent(1)[1]?.endsWith(`Carry out this plan:\n\n${plan}`));
    // It is no longer the mode's plan, and no later answer is one.
    assert.equal(await chat.shown.startPlan(planned?.id ?? ''), undefined);
    const last = chat.shown.conversation.all.findLast((item) => item.type === 'answer');
    assert.equal(await chat.shown.startPlan(last?.id ?? ''), undefined);
  });

  it('has nothing to start in an answer that was cut off, or given in another mode', async () => {
    for (const [mode, reason] of [
      ['ask', 'stop'],
      ['plan', 'length'],
    ] as const) {
      const { chat } = setUp({
        mode,
        scripts: [
          [
            { type: 'textAdded', text: '## Plan\n1. Run' },
            { type: 'modelFinished', reason },
          ],
        ],
      });
      await chat.shown.submit('Go');
      assert.equal(await chat.shown.startPlan(chat.shown.conversation.all.at(-1)?.id ?? ''), undefined);
    }
  });

  it('keeps mode and approvals with the conversation, and leaves others as the setting says', async () => {
    const store = new MemoryChatStore();
    const { chat } = setUp({ store, mode: 'plan', scripts: [answer('1')] });
    assert.equal(chat.shown.choices.modeId, 'plan');
    chat.shown.choices.selectMode('ask');
    chat.shown.choices.selectApprovals('editsAllowed');
    await chat.shown.submit('One');
    const { id } = chat.shown.conversation;
    await chat.startNewChat();
    assert.deepEqual([chat.shown.choices.modeId, chat.shown.conversation.approvals], ['plan', 'askFirst']);
    const again = new Conversation(id, (await store.load(id)) ?? []);
    assert.deepEqual([again.modeId, again.approvals], ['ask', 'editsAllowed']);
    assert.equal(again.all.find((item) => item.type === 'user')?.mode?.name, 'Ask');
  });
});
