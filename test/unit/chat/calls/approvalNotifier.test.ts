import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/emitter.ts';
import { ApprovalNotifier } from '../../../../src/chat/calls/approvalNotifier.ts';
import { ToolApprovals } from '../../../../src/chat/calls/toolApprovals.ts';
import type { Sight } from '../../../../src/chat/session/unseenTurns.ts';

type Choice = 'allow' | 'deny' | 'show' | undefined;

function setUp(sight: Sight) {
  const approvals = new ToolApprovals(() => undefined);
  const sightChanged = new Emitter<void>();
  const notified: string[] = [];
  const withdrawn: string[] = [];
  const shown: string[] = [];
  const choices = new Map<string, (choice: Choice) => void>();
  const state = { sight, settled: 0 };
  const notifier = new ApprovalNotifier({
    approvals,
    sights: { of: () => state.sight, onDidChange: sightChanged.event },
    notify: ({ question: { id } }, signal) => {
      notified.push(id);
      signal.addEventListener('abort', () => withdrawn.push(id));
      return new Promise((resolve) => choices.set(id, resolve));
    },
    show: ({ question: { id } }) => void shown.push(id),
    tellSettled: () => state.settled++,
  });
  const ask = (id: string, conversation = 'c') =>
    approvals
      .forConversation(conversation)
      .ask({ id, name: 'edit', input: {} }, new AbortController().signal);
  return {
    ...{ approvals, ask, notified, notifier, shown, state, withdrawn },
    see(now: Sight) {
      state.sight = now;
      sightChanged.fire();
    },
    async choose(id: string, choice: Choice) {
      choices.get(id)?.(choice);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('ApprovalNotifier', () => {
  it('tells once of a question that is not in view, and takes the answer', async () => {
    const { ask, choose, notified, see } = setUp('hidden');
    const decision = ask('q1');
    see('background');
    see('hidden');
    assert.deepEqual(notified, ['q1']);
    await choose('q1', 'allow');
    assert.deepEqual(await decision, { allow: true });
    const denied = ask('q2');
    await choose('q2', 'deny');
    assert.deepEqual(await denied, { allow: false });
  });

  it('tells once of a conversation, however much it asks, until the user answers there or looks at it', async () => {
    const { approvals, ask, choose, notified, see } = setUp('hidden');
    for (const id of ['q1', 'q2', 'q3']) void ask(id);
    void ask('other', 'd');
    see('background');
    assert.deepEqual(notified, ['q1', 'other']);
    await choose('other', undefined);
    void ask('other too', 'd');
    assert.deepEqual(notified, ['q1', 'other']);
    await choose('q1', 'allow');
    assert.deepEqual(notified, ['q1', 'other', 'q2']);
    approvals.answer('q2', 'allow');
    assert.deepEqual(notified, ['q1', 'other', 'q2']);
    see('seen');
    see('hidden');
    assert.deepEqual(notified, ['q1', 'other', 'q2', 'q3', 'other too']);
  });

  it('shows a question that cannot be allowed as it was told', async () => {
    const { approvals, choose, shown } = setUp('hidden');
    const question = { id: 'q1', name: 'edit', input: { command: 'x'.repeat(5000) } };
    void approvals.forConversation('c').ask(question, new AbortController().signal);
    await choose('q1', 'allow');
    assert.deepEqual([approvals.pending.length, shown], [1, ['q1']]);
  });

  it('withdraws what it told when that is settled or seen', () => {
    const { approvals, ask, see, withdrawn } = setUp('hidden');
    void ask('q1');
    void ask('q2', 'd');
    assert.deepEqual(withdrawn, []);
    approvals.answer('q1', 'deny');
    assert.deepEqual(withdrawn, ['q1']);
    see('seen');
    assert.deepEqual(withdrawn, ['q1', 'q2']);
  });

  it('is silent about what is in view, also when the window is left; not when the panel is hidden', async () => {
    const { ask, notified, see } = setUp('seen');
    void ask('q1');
    see('background');
    assert.deepEqual(notified, []);
    void ask('q2');
    assert.deepEqual(notified, ['q2']);
    see('seen');
    see('hidden');
    assert.deepEqual(notified, ['q2', 'q1']);
  });

  it('settles nothing with a click that comes late', async () => {
    const { approvals, ask, choose, state } = setUp('hidden');
    const first = ask('q1');
    approvals.answer('q1', 'deny');
    assert.deepEqual(await first, { allow: false });
    void ask('q2');
    await choose('q1', 'allow');
    assert.deepEqual(
      approvals.pending.map(({ question }) => question.id),
      ['q2'],
    );
    assert.equal(state.settled, 1);
    approvals.answer('q2', 'allow');
    await choose('q2', undefined);
    assert.equal(state.settled, 1);
  });

  it('shows the question it told of', async () => {
    const { ask, approvals, choose, shown } = setUp('hidden');
    void ask('q1');
    await choose('q1', 'show');
    assert.deepEqual([shown, approvals.pending.length], [['q1'], 1]);
  });

  it('tells of a question that was there before it, and of none once it is disposed', () => {
    const approvals = new ToolApprovals(() => undefined);
    const notified: string[] = [];
    const signal = new AbortController().signal;
    void approvals.forConversation('c').ask({ id: 'q1', name: 'edit', input: {} }, signal);
    const notifier = new ApprovalNotifier({
      approvals,
      sights: { of: () => 'hidden', onDidChange: new Emitter<void>().event },
      notify: async ({ question }) => void notified.push(question.id),
      show: () => {},
      tellSettled: () => {},
    });
    notifier.dispose();
    void approvals.forConversation('c').ask({ id: 'q2', name: 'edit', input: {} }, signal);
    assert.deepEqual(notified, ['q1']);
  });
});
