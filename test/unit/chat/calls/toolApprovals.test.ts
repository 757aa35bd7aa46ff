import assert from 'node:assert/strict';
import { createToolBox } from '../../../../src/chat/calls/toolBox.ts';
import { ToolApprovals } from '../../../../src/chat/calls/toolApprovals.ts';
import { UrgentWork } from '../../../../src/base/urgentWork.ts';
import type { ToolRule } from '../../../../src/tools/tool.ts';
import type { Tool, ToolRisk } from '../../../../src/tools/tool.ts';
import { ToolSet } from '../../../../src/tools/toolSet.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { madeCall } from '../../../support/madeCall.ts';
import { asAgent } from '../../../support/builtInModes.ts';

const never = new AbortController().signal;

/** A tool of each risk, which tell when they ran, and the box that asks before. */
function setUp(rules: Record<string, ToolRule> = {}) {
  const approvals = new ToolApprovals((name) => rules[name]);
  const ran: string[] = [];
  const tool = (name: string, risk: ToolRisk): Tool => ({
    ...{ name, risk, description: name, parameters: {} },
    bind: (input) => ({
      input: input as Record<string, unknown>,
      summary: name,
      run: async () => {
        ran.push(name);
        return { content: `${name} ran`, isError: false };
      },
    }),
  });
  const tools = new ToolSet([tool('read', 'read'), tool('edit', 'edit'), tool('foreign', 'external')]);
  const box = (conversationId = 'c1') =>
    createToolBox(
      () => tools,
      approvals.forConversation(conversationId),
      asAgent,
      (signal) => ({ signal }),
    );
  let calls = 0;
  const run = (name: string, { conversationId = 'c1', signal = never } = {}) => {
    const states: string[] = [];
    const id = `call${++calls}`;
    const call = box(conversationId).prepare(madeCall(name, {}, id));
    assert.ok('run' in call);
    const outcome = call.run(signal, (state) => states.push(state));
    return { id, outcome, states };
  };
  return { approvals, box, ran, run };
}

describe('ToolApprovals', () => {
  it('asks before anything but a read runs, unless settings say otherwise', async () => {
    const { approvals, run } = setUp({ foreign: 'allow' });
    assert.equal((await run('read').outcome).state, 'done');
    assert.equal((await run('foreign').outcome).state, 'done');
    const edit = run('edit');
    assert.deepEqual(
      approvals.pending.map(({ conversationId, question: { id, name } }) => [conversationId, id, name]),
      [['c1', edit.id, 'edit']],
    );
    assert.equal(approvals.answer(edit.id, 'allow'), true);
    assert.equal((await edit.outcome).state, 'done');
    assert.deepEqual(edit.states, ['asking', 'running']);
    assert.deepEqual(approvals.pending, []);
  });

  it('asks before a read, too, where settings say ask', async () => {
    const { approvals, box, run, ran } = setUp({ read: 'ask' });
    const prepared = box().prepare(madeCall('read'));
    assert.ok('run' in prepared);
    assert.equal(prepared.isRead, false, 'what asks does not run beside others');
    const read = run('read');
    assert.deepEqual(ran, []);
    approvals.answer(read.id, 'deny', '  not now ');
    const outcome = await read.outcome;
    assert.equal(outcome.state, 'denied');
    assert.match(outcome.content, /denied this call and said: not now$/);
    assert.deepEqual(ran, []);
  });

  it('does not offer, ask about or run what settings deny, even after "Always"', async () => {
    const rules: Record<string, ToolRule> = {};
    const { approvals, box, ran, run } = setUp(rules);
    const first = run('edit');
    approvals.answer(first.id, 'always');
    await first.outcome;
    rules.edit = 'deny';
    assert.deepEqual(
      box()
        .definitions()
        .map(({ name }) => name),
      ['read', 'foreign'],
    );
    assert.equal((await run('edit').outcome).state, 'denied');
    assert.deepEqual([ran, approvals.pending], [['edit'], []]);
  });

  it('holds "Always" for this tool in this conversation, and ends it with the conversation', async () => {
    const { approvals, run } = setUp();
    const first = run('edit');
    approvals.answer(first.id, 'always');
    await first.outcome;
    assert.equal((await run('edit').outcome).state, 'done');
    const others = [run('foreign'), run('edit', { conversationId: 'c2' })];
    assert.equal(approvals.pending.length, 2);
    approvals.keepOnly(['c2', 'c1']);
    assert.equal((await run('edit').outcome).state, 'done');
    approvals.keepOnly(['c2']);
    const again = run('edit');
    assert.deepEqual(
      approvals.pending.map(({ question: { id } }) => id),
      [...others, again].map(({ id }) => id),
    );
  });

  it('has an edit that is allowed made before it tells of the answer, and tells of any other at once', async () => {
    const urgent = new UrgentWork(new ManualClock());
    const approvals = new ToolApprovals(() => undefined, urgent);
    const told: number[] = [];
    approvals.onDidChange(() => told.push(approvals.pending.length));
    const ask = (id: string, isEdit: boolean) => {
      const proposal = { files: [], apply: async () => ({ content: '', isError: false }) };
      const question = { id, name: 'edit', input: {}, ...(isEdit && { proposal }) };
      return approvals.forConversation('c1').ask(question, never);
    };
    const edits = [ask('denied', true), ask('other', false), ask('edit', true)];
    approvals.answer('denied', 'deny');
    approvals.answer('other', 'allow');
    assert.deepEqual(told, [1, 2, 3, 2, 1]);
    approvals.answer('edit', 'allow');
    assert.deepEqual(approvals.pending, []);
    await Promise.all(edits);
    assert.equal(told.length, 5, 'the edit begins before the editor draws anything');
    urgent.end();
    assert.deepEqual(told, [1, 2, 3, 2, 1, 0]);
  });

  it('ignores an answer that comes after another, and one to no question', async () => {
    const { approvals, ran, run } = setUp();
    const first = run('edit');
    assert.equal(approvals.answer(first.id, 'deny'), true);
    assert.equal(approvals.answer(first.id, 'always'), false);
    assert.equal((await first.outcome).state, 'denied');
    const second = run('edit');
    assert.equal(approvals.answer(first.id, 'allow'), false);
    assert.equal(approvals.answer('none', 'allow'), false);
    assert.deepEqual([ran, second.states, approvals.pending.length], [[], ['asking'], 1]);
  });

  it('withdraws a question when its turn is stopped', async () => {
    const { approvals, run } = setUp();
    const abort = new AbortController();
    const { id, outcome } = run('edit', { signal: abort.signal });
    abort.abort();
    await assert.rejects(outcome);
    assert.deepEqual(approvals.pending, []);
    assert.equal(approvals.answer(id, 'allow'), false);
  });

  it('asks nothing in a turn that is stopped already', async () => {
    const { approvals, ran, run } = setUp();
    const { outcome } = run('edit', { signal: AbortSignal.abort() });
    assert.deepEqual(approvals.pending, []);
    await assert.rejects(outcome);
    assert.deepEqual(ran, []);
  });

  it('tells its listeners of each question and of its outcome', async () => {
    const { approvals, run } = setUp();
    const counts: number[] = [];
    approvals.onDidChange(() => counts.push(approvals.pending.length));
    const abort = new AbortController();
    const first = run('edit');
    const second = run('foreign', { signal: abort.signal });
    approvals.answer(first.id, 'allow');
    approvals.answer(first.id, 'allow');
    abort.abort();
    await assert.rejects(second.outcome);
    assert.deepEqual(counts, [1, 2, 1, 0]);
    assert.equal(approvals.find(first.id), undefined);
  });
});
