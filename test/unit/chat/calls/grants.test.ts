import assert from 'node:assert/strict';
import fc from 'fast-check';
import { grantsOf } from '../../../../src/chat/calls/grantLabels.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import type { ChatEvent } from '../../../../src/chat/store/events.ts';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { approvalLevels } from '../../../../src/chat/modes/mode.ts';
import type { ModelEvent, StreamModel } from '../../../../src/relay/messages.ts';
import type { Tool, ToolIdentity, ToolRule } from '../../../../src/tools/tool.ts';
import { ruleIn } from '../../../../src/tools/otherTools.ts';
import { toolPhrases } from '../../../../src/tools/toolPhrases.ts';
import type { ActingTool } from '../../../../src/panel/modeController.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../../support/memoryChatStore.ts';
import { modeParts } from '../../../support/modeParts.ts';
import { toolsUnderTest } from '../../../support/toolsUnderTest.ts';
import { handleCommand } from '../../../../src/panel/commandHandlers.ts';

const foreign = (name: string, title: string): Tool => ({
  ...{ name, key: `harbour.tides/${name}`, title, risk: 'external' },
  ...{ description: '', parameters: { type: 'object' } },
  bind: () => ({ input: {}, run: async () => ({ content: 'Done', isError: false }) }),
});
const others = [foreign('tide_now', 'Tide now'), foreign('tide_next', 'Next tide')];

let files = 0;
const inputs: Readonly<Record<string, () => object>> = {
  edit_file: () => ({ path: 'a.ts', replacements: [{ oldText: 'let', newText: `let /* ${++files} */` }] }),
  create_file: () => ({ path: `new${++files}.ts`, content: 'x' }),
  read_file: () => ({ path: 'a.ts' }),
  tide_now: () => ({}),
  tide_next: () => ({}),
};
const names = Object.keys(inputs);

async function setUp(rules: Record<string, ToolRule> = {}) {
  const store = new MemoryChatStore();
  const under = toolsUnderTest({ '/work/a.ts': 'let a = 1;\n' }, { rules, more: others });
  let calls = 0;
  const streamModel: StreamModel = async function* ({ messages }) {
    const newest = messages.at(-1);
    const said = newest?.role === 'user' ? newest.content.split('\n').at(-1) : undefined;
    const name = said === undefined ? undefined : names.find((each) => each === said);
    if (name !== undefined) {
      const call = { id: `call${++calls}`, name, arguments: JSON.stringify(inputs[name]?.()) };
      yield { type: 'toolCallsCompleted', calls: [call] } satisfies ModelEvent;
      yield { type: 'modelFinished', reason: 'tool_calls' } satisfies ModelEvent;
    } else {
      yield { type: 'textAdded', text: 'Well.' } satisfies ModelEvent;
      yield { type: 'modelFinished', reason: 'stop' } satisfies ModelEvent;
    }
  };
  const chat = new ChatController({ ...chatDependencies({ streamModel, store }), tools: under.tools });
  const own = (['edit_file', 'create_file'] as const).map((name): ActingTool => ({
    ...{ name, risk: 'edit' },
  }));
  const controller = modeParts(chat, [], {
    actingTools: () => [
      ...own,
      ...others.map(({ name, key, title }): ActingTool => ({
        ...{ name, risk: 'external', title: title ?? '' },
        ...(key !== undefined && { key }),
      })),
    ],
    ruleFor: (tool: ToolIdentity) => ruleIn(rules, tool),
  });
  /** Calls the tool and answers its question; undefined if it asked nothing. */
  const call = async (name: string, answer: 'allow' | 'always' | 'deny' = 'deny') => {
    const ended = chat.shown.submit(name);
    while (chat.shown.isRunning && under.approvals.pending.length === 0) await new Promise(setImmediate);
    const question = under.approvals.pending[0]?.question;
    if (question) under.approvals.answer(question.id, answer);
    await ended;
    return question;
  };
  const said = () => controller.state().approvals;
  const grants = () => grantsOf(chat.shown.choices);
  return { ...under, chat, store, controller, call, said, grants, rules };
}

describe('chat: what was always allowed', () => {
  it('is, for an edit, the same as "Edits Allowed": on the button at once, for every edit, and after a restart', async () => {
    const { call, chat, said, controller, store } = await setUp();
    const heard: string[] = [];
    controller.listen(
      (message) => {
        if (message.type === 'permissionsChanged') heard.push(message.permissions.approvals.name);
      },
      () => {},
    );
    assert.equal(said().name, 'Ask First');
    const question = await call('create_file', 'always');
    assert.equal(
      question?.always?.label,
      'Allow edits to all files in this conversation, except protected ones',
    );
    assert.deepEqual(heard, ['Edits Allowed']);
    assert.deepEqual([said().name, said().id, said().asksFirst], ['Edits Allowed', 'editsAllowed', false]);
    assert.equal(await call('edit_file'), undefined);
    assert.equal(chat.shown.conversation.approvals, 'editsAllowed');
    const again = new ChatController(chatDependencies({ store, newId: () => 'another' }));
    await again.openChat(chat.shown.conversation.id);
    assert.equal(modeParts(again).state().approvals.name, 'Edits Allowed');
  });

  it('is taken back by "Ask First", all of it, also where that is chosen already', async () => {
    const { call, controller, said, grants } = await setUp({ read_file: 'ask' });
    for (const name of ['read_file', 'tide_now']) await call(name, 'always');
    assert.equal(said().name, '2 Tools Allowed');
    assert.equal(said().detail, 'Every edit needs your approval. Without asking: Read files, Tide now');
    assert.deepEqual(
      grants().map(({ label, description }) => [label, description]),
      [
        ['Read files', 'read_file'],
        ['Tide now', 'harbour.tides/tide_now'],
      ],
    );
    await handleCommand(controller.commands, { type: 'selectApprovals', level: 'askFirst' });
    assert.deepEqual([said().name, said().asksFirst, grants().length], ['Ask First', true, 0]);
    for (const name of ['read_file', 'tide_now', 'edit_file']) assert.ok(await call(name), name);
    await call('edit_file', 'always');
    await call('tide_now', 'always');
    assert.equal(said().name, 'Edits Allowed, 1 Tool Allowed');
    await handleCommand(controller.commands, { type: 'selectApprovals', level: 'askFirst' });
    for (const name of ['tide_now', 'edit_file']) assert.ok(await call(name), name);
  });

  it('stays taken back when a window that has not heard of it repeats what was allowed before', () => {
    const repeated = (approvals: 'askFirst' | 'editsAllowed'): ChatEvent => ({
      ...{ type: 'settingsRepeated', approvals, bases: [] },
    });
    const selected = (level: 'askFirst' | 'editsAllowed'): ChatEvent => ({
      type: 'approvalsSelected',
      level,
    });
    const after = (...events: ChatEvent[]) => new Conversation('c', events).approvals;
    assert.equal(after(selected('editsAllowed'), selected('askFirst'), repeated('editsAllowed')), 'askFirst');
    assert.equal(after(repeated('editsAllowed')), 'editsAllowed', 'where only the end is read');
    assert.equal(after(repeated('editsAllowed'), repeated('askFirst')), 'askFirst');
    assert.equal(
      after(selected('askFirst'), selected('editsAllowed'), repeated('editsAllowed')),
      'editsAllowed',
    );
  });

  it('is revoked one by one', async () => {
    const { call, said, grants } = await setUp();
    for (const name of ['edit_file', 'tide_now', 'tide_next']) await call(name, 'always');
    const [edits, first] = grants();
    assert.equal(edits?.label, 'Edits Allowed');
    edits?.revoke();
    assert.equal(said().name, '2 Tools Allowed');
    assert.ok(await call('create_file'));
    assert.equal(await call('tide_now'), undefined);
    first?.revoke();
    assert.ok(await call('tide_now'));
    assert.equal(await call('tide_next'), undefined);
    assert.deepEqual(
      grants().map(({ label }) => label),
      ['Next tide'],
    );
  });

  it('holds in its conversation alone, and for a single tool as long as that is held open', async () => {
    const { call, chat, said } = await setUp();
    await call('tide_now', 'always');
    await call('edit_file', 'always');
    const { id } = chat.shown.conversation;
    await chat.startNewChat();
    assert.equal(said().name, 'Ask First');
    assert.ok(await call('tide_now'));
    await chat.openChat(id);
    assert.equal(said().name, 'Edits Allowed');
    assert.ok(await call('tide_now'));
  });

  it('is a single tool where settings ask about an edit, which "Edits Allowed" does not change', async () => {
    const { call, controller, said } = await setUp({ edit_file: 'ask' });
    await handleCommand(controller.commands, { type: 'selectApprovals', level: 'editsAllowed' });
    assert.equal(said().name, '1 Tool Allowed');
    assert.equal(said().detail, 'Without asking: Create files');
    assert.equal(controller.state().approvalLevels[1]?.problem, 'Your settings ask first: Edit files');
    assert.equal((await call('edit_file', 'always'))?.always?.label, 'Allow Edit files in this conversation');
    assert.equal(said().name, 'Edits Allowed');
    assert.equal(await call('edit_file'), undefined);
  });

  it('is what settings allow, too', async () => {
    const { said } = await setUp({
      create_file: 'allow',
      'harbour.tides/tide_now': 'allow',
      tide_next: 'allow',
    });
    assert.deepEqual(
      [said().name, said().detail],
      ['2 Tools Allowed', 'Without asking: Create files, Tide now'],
    );
  });

  it('covers no tool of another extension with the name', async () => {
    const { call, chat } = await setUp();
    await call('tide_now', 'always');
    const { granted } = chat.shown.choices.permissions;
    assert.deepEqual([...granted.keys()], ['harbour.tides/tide_now']);
  });

  it('makes no edit unasked that was taken back while the edit was made out', async () => {
    for (const changed of ['approvals', 'mode'] as const) {
      const { approvals, chat, workspace } = await setUp();
      chat.shown.choices.selectApprovals('editsAllowed');
      const { access } = workspace.files;
      const { open } = access;
      access.open = async (path) => {
        if (changed === 'mode') chat.shown.choices.selectMode('ask');
        else chat.shown.choices.selectApprovals('askFirst');
        return open.call(access, path);
      };
      const ended = chat.shown.submit('edit_file');
      while (chat.shown.isRunning && approvals.pending.length === 0) await new Promise(setImmediate);
      assert.deepEqual(workspace.applied, [], changed);
      assert.equal(approvals.pending.length, changed === 'approvals' ? 1 : 0);
      for (const { question } of approvals.pending) approvals.answer(question.id, 'deny');
      await ended;
    }
  });

  it('is what the button says, whatever was answered, chosen, revoked and set before', async function () {
    this.timeout(60_000);
    const tool = fc.constantFrom(...names);
    const step = fc.oneof(
      fc.record({ tool, answer: fc.constantFrom('allow', 'always', 'deny') }),
      fc.record({ level: fc.constantFrom(...approvalLevels) }),
      fc.record({ revoke: fc.nat(3) }),
      fc.record({ tool, rule: fc.constantFrom('allow', 'ask', 'deny', undefined) }),
      fc.constant('leave' as const),
    );
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { call, chat, controller, grants, rules, said } = await setUp();
      for (const next of steps) {
        if (next === 'leave') await chat.startNewChat();
        else if ('level' in next)
          await handleCommand(controller.commands, { type: 'selectApprovals', level: next.level });
        else if ('revoke' in next) grants()[next.revoke]?.revoke();
        else if ('answer' in next) await call(next.tool, next.answer);
        else if (next.rule === undefined) delete rules[next.tool];
        else rules[others.find(({ name }) => name === next.tool)?.key ?? next.tool] = next.rule;
      }
      const { name: button, detail, asksFirst } = said();
      const [, listed = ''] = /Without asking: (.*)$/.exec(detail) ?? [];
      const titles = new Set(listed.split(', ').filter(Boolean));
      let isAnyFree = false;
      for (const name of names) {
        const other = others.find((each) => each.name === name);
        const rule = ruleIn(rules, other ?? { name });
        if (rule === 'deny') continue;
        const title = other?.title ?? toolPhrases[name as 'edit_file'].title();
        const isEdit = name === 'edit_file' || name === 'create_file';
        const isSaid = titles.has(title) || (isEdit && button.startsWith('Edits Allowed'));
        const wasAsked = (await call(name, 'deny')) !== undefined;
        // Reads run by themselves, so an explicit grant comes from somebody's answer.
        if (name === 'read_file') assert.ok(!isSaid || !wasAsked);
        else assert.equal(isSaid, !wasAsked, `${name}: ${button}. ${detail}`);
        if (isEdit && detail.includes('Every edit needs')) assert.ok(wasAsked);
        isAnyFree ||= isSaid;
      }
      if (isAnyFree) assert.equal(asksFirst, false);
      if (button === 'Ask First') assert.equal(isAnyFree, false);
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
