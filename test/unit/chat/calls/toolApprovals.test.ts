import assert from 'node:assert/strict';
import { createToolBox, type Question } from '../../../../src/chat/calls/toolBox.ts';
import { ToolApprovals } from '../../../../src/chat/calls/toolApprovals.ts';
import { UrgentWork } from '../../../../src/base/async/urgentWork.ts';
import { ruleIn } from '../../../../src/tools/otherTools.ts';
import type { ToolRule, Tool, ToolRisk } from '../../../../src/tools/tool.ts';
import { ToolSet } from '../../../../src/tools/toolSet.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { madeCall } from '../../../support/madeCall.ts';
import { asAgent } from '../../../support/builtInModes.ts';

const never = new AbortController().signal;

/** A tool of each risk that records its runs, and the box that asks first. */
function setUp(rules: Record<string, ToolRule> = {}) {
  const approvals = new ToolApprovals((tool) => ruleIn(rules, tool));
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
  const permissions = asAgent();
  const box = (conversationId = 'c1') =>
    createToolBox(
      () => tools,
      approvals.forConversation(conversationId),
      () => permissions,
      (signal) => ({ signal }),
    );
  let calls = 0;
  const run = (name: string, { conversationId = 'c1', signal = never } = {}) => {
    const states: string[] = [];
    const id = `call${++calls}`;
    const call = box(conversationId).prepare(madeCall(name, {}, id));
    assert.ok('run' in call);
    const outcome = call.run(signal, async (state) => void states.push(state));
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
    const rules: Record<string, ToolRule> = { edit: 'ask' };
    const { approvals, box, ran, run } = setUp(rules);
    const first = run('edit');
    approvals.answer(first.id, 'always');
    await first.outcome;
    await run('edit').outcome;
    rules.edit = 'deny';
    assert.deepEqual(
      box()
        .definitions()
        .map(({ name }) => name),
      ['read', 'foreign'],
    );
    assert.equal((await run('edit').outcome).state, 'denied');
    assert.deepEqual([ran, approvals.pending], [['edit', 'edit'], []]);
  });

  it('has what "Always" stands for at a question kept, and nothing where it stands for nothing', async () => {
    const { approvals } = setUp();
    const { ask } = approvals.forConversation('c1');
    const kept: string[] = [];
    const always = { label: 'Allow', keep: () => kept.push('kept') };
    const asked = [
      ask({ id: 'a', name: 'edit', input: {}, always }, never),
      ask({ id: 'b', name: 'edit', input: {}, always }, never),
      ask({ id: 'c', name: 'edit', input: {}, why: 'It is protected.' }, never),
    ];
    approvals.answer('a', 'allow');
    approvals.answer('b', 'always');
    approvals.answer('c', 'always');
    assert.deepEqual(await Promise.all(asked), [{ allow: true }, { allow: true }, { allow: true }]);
    assert.deepEqual(kept, ['kept']);
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

  describe('of more than is seen at once', () => {
    const asked = (parts: Partial<Question>) => {
      const approvals = new ToolApprovals(() => undefined);
      const kept: string[] = [];
      const keep = (what: string) => ({ label: what, detail: what, keep: () => void kept.push(what) });
      const always = { ...keep('always'), wider: keep('wider') };
      const question: Question = {
        ...{ id: 'q', name: 'tide_now', title: 'Tide now', input: {}, always },
        ...parts,
      };
      const decision = approvals.forConversation('c').ask(question, never);
      return { approvals, decision, kept };
    };
    const proposalOf = (path: string) => ({
      files: [{ path, before: '', after: '', added: 0, removed: 0 }],
      apply: () => Promise.reject(new Error('Not here.')),
    });
    const long: [what: string, Partial<Question>][] = [
      ['a command of 5,000 characters', { input: { command: 'x'.repeat(5000) } }],
      ['300 empty lines', { input: { command: `npm test${'\n'.repeat(300)}danger` } }],
      ['300 empty lines of Windows', { input: { command: `npm test${'\r\n'.repeat(300)}danger` } }],
      ['a line of spaces', { input: { command: `npm test${' '.repeat(900)}; danger` } }],
      ['many characters that are not seen', { input: { command: `npm${'\u200b\u200c'.repeat(60)}` } }],
      ['many arguments', { input: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [n, n])) }],
      ['a long name of an argument', { input: { ['x'.repeat(5000)]: 1 } }],
      ['a long list', { input: { paths: Array.from({ length: 30 }, String) } }],
      [
        'an object of many lines',
        { input: { options: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [n, n])) } },
      ],
      ['a long title', { title: 'Tide '.repeat(200) }],
      ['a long name', { name: 'tide_'.repeat(200) }],
      ['a long path', { name: 'edit_file', proposal: proposalOf('a/'.repeat(400)) }],
    ];
    for (const [what, parts] of long) {
      it(`takes no yes before it was unfolded: ${what}`, async () => {
        const { approvals, decision, kept } = asked(parts);
        for (const answer of ['allow', 'always', 'wider'] as const) {
          assert.equal(approvals.answer('q', answer), false);
        }
        assert.equal(approvals.pending.length, 1);
        assert.deepEqual(kept, []);
        approvals.unfold('another');
        assert.equal(approvals.answer('q', 'allow'), false);
        approvals.unfold('q');
        assert.equal(approvals.find('q')?.question.isUnfolded, true);
        assert.equal(approvals.answer('q', 'allow'), true);
        assert.deepEqual(await decision, { allow: true });
      });
    }

    it('can be denied at once', async () => {
      const { approvals, decision } = asked({ input: { command: 'x'.repeat(5000) } });
      assert.equal(approvals.answer('q', 'deny'), true);
      assert.deepEqual(await decision, { allow: false });
    });

    it('is not what fits: a usual command, and an edit of a long text', () => {
      for (const parts of [
        { input: { command: 'x'.repeat(500), folder: '/work', reason: 'To see' } },
        { input: { command: 'cat <<END\n1\n2\n3\n\nEND' } },
        { input: { content: 'x'.repeat(9000) }, proposal: proposalOf('src/a.ts') },
      ]) {
        assert.equal(asked(parts).approvals.answer('q', 'allow'), true);
      }
    });
  });
});
