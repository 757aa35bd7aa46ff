import assert from 'node:assert/strict';
import { mostCalls, prepare, runCalls, type CallEvent } from '../../../../src/chat/calls/runCalls.ts';
import type { ReadyCall } from '../../../../src/chat/calls/toolBox.ts';
import { madeCall } from '../../../support/madeCall.ts';

const { signal } = new AbortController();

function reads(count: number) {
  const seen = { running: 0, most: 0, ran: 0 };
  const calls = Array.from({ length: count }, (_, index): ReadyCall => ({
    call: madeCall('read', {}, `call${index}`),
    isRead: true,
    async run() {
      seen.running++;
      seen.ran++;
      seen.most = Math.max(seen.most, seen.running);
      for (let turn = 0; turn < 3 + (index % 4); turn++) await new Promise(setImmediate);
      seen.running--;
      return { state: 'done', content: `call${index}` };
    },
  }));
  return { calls, seen };
}

async function finished(calls: readonly ReadyCall[], abort = signal, isSteered = () => false) {
  const events: CallEvent[] = [];
  const conditions = { signal: abort, isSteered, now: () => 0 };
  await runCalls(calls, conditions, async (event) => void events.push(event));
  return events.flatMap((event) => (event.type === 'toolFinished' ? [event] : []));
}

describe('chat: running the calls of one answer', () => {
  it('runs at most six reads at a time, and each of them once', async () => {
    const { calls, seen } = reads(mostCalls);
    const results = await finished(calls);
    assert.deepEqual([seen.most, seen.ran], [6, mostCalls]);
    assert.deepEqual(results.map(({ id }) => id).toSorted(), calls.map(({ call }) => call.id).toSorted());
    assert.ok(results.every(({ id, outcome }) => outcome.content === id));
  });

  it('runs none of more than 64, and answers each', async () => {
    const { calls, seen } = reads(mostCalls + 1);
    const results = await finished(calls);
    assert.equal(seen.ran, 0);
    assert.deepEqual(
      results.map(({ id }) => id),
      calls.map(({ call }) => call.id),
    );
    for (const { outcome } of results) {
      assert.equal(outcome.state, 'failed');
      assert.match(outcome.content, /this answer has 65 tool calls, and at most 64 are run/);
    }
  });

  it('takes for the time of a call what came after the user had decided', async () => {
    let time = 0;
    const call: ReadyCall = {
      call: madeCall('edit'),
      isRead: false,
      async run(_signal, onState) {
        await onState('asking');
        time += 60_000;
        await onState('running');
        time += 7;
        return { state: 'done', content: '' };
      },
    };
    await runCalls([call], { signal, isSteered: () => false, now: () => time }, async (event) => {
      if (event.type === 'toolFinished') assert.equal(event.outcome.durationMs, 7);
    });
    assert.equal(time, 60_007);
  });

  it('begins none any more once the user has said something, and answers each', async () => {
    const { calls, seen } = reads(20);
    const results = await finished(calls, signal, () => seen.ran >= 6);
    assert.equal(seen.ran, 6);
    const states = results.map(({ id, outcome: { state, unrun } }) => [id, state, unrun]);
    assert.deepEqual(
      states.toSorted(([one = ''], [other = '']) => Number(one.slice(4)) - Number(other.slice(4))),
      calls.map(({ call }, index) => [
        call.id,
        ...(index < 6 ? ['done', undefined] : ['stopped', 'steered']),
      ]),
    );
  });

  it('answers each call also when it is stopped in the middle', async () => {
    const { calls, seen } = reads(20);
    const stop = new AbortController();
    const running = finished(calls, stop.signal);
    while (seen.ran < 6) await new Promise(setImmediate);
    stop.abort();
    const results = await running;
    assert.equal(results.length, 20);
    assert.ok(results.filter(({ outcome }) => outcome.state === 'stopped').length >= 14);
  });

  it('runs nothing of a call whose arguments could not be read', () => {
    const problem = 'The arguments are not valid JSON.';
    const call = { ...madeCall('read'), problem };
    const tools = { definitions: () => [], prepare: () => assert.fail('its tool was looked up') };
    assert.deepEqual(prepare(tools, call), { call, problem });
  });

  it('runs no call that was stopped while it was recorded that it runs', async () => {
    const stop = new AbortController();
    const call: ReadyCall = {
      call: madeCall('edit'),
      isRead: false,
      async run(_signal, onState) {
        await onState('running');
        assert.fail('it ran');
      },
    };
    const outcomes: unknown[] = [];
    await runCalls([call], { signal: stop.signal, isSteered: () => false, now: () => 0 }, async (event) => {
      if (event.type === 'toolFinished') outcomes.push(event.outcome.unrun);
      else stop.abort();
    });
    assert.deepEqual(outcomes, ['stopped']);
  });

  it('runs a read that was asked for after an edit after it', async () => {
    const order: string[] = [];
    const calls = ['read', 'edit', 'read again'].map((name): ReadyCall => ({
      call: madeCall(name, {}, name),
      isRead: name !== 'edit',
      run: async () => (order.push(name), { state: 'done', content: '' }),
    }));
    const recorded = await finished(calls);
    assert.deepEqual(order, ['read', 'edit', 'read again']);
    assert.deepEqual(
      recorded.map(({ id }) => id),
      order,
    );
  });

  describe('with edits that wait for their diagnostics', () => {
    /** Each edit works for 5 ms, then waits until it is told to end. */
    function edits(...names: string[]) {
      const order: string[] = [];
      const ends: (() => void)[] = [];
      const clock = { ms: 0 };
      const calls = names.map((name): ReadyCall => ({
        call: madeCall(name, {}, name),
        isRead: name.startsWith('read'),
        isEdit: name.startsWith('edit'),
        async run(_signal, onState, progress) {
          await onState('running');
          order.push(name);
          clock.ms += 5;
          if (!name.startsWith('edit')) return { state: 'done', content: '' };
          progress?.onWorked?.();
          await new Promise<void>((resolve) => ends.push(resolve));
          clock.ms += 2000;
          return { state: 'done', content: '' };
        },
      }));
      const took: Record<string, number> = {};
      const running = runCalls(
        calls,
        { signal, isSteered: () => false, now: () => clock.ms },
        async (event) => {
          if (event.type === 'toolFinished') took[event.id] = event.outcome.durationMs;
        },
      );
      return { order, ends, took, running };
    }

    it('lets the next edit begin meanwhile, and counts only the work', async () => {
      const { order, ends, took, running } = edits('edit 1', 'edit 2');
      while (ends.length < 2) await new Promise(setImmediate);
      assert.deepEqual([order, took], [['edit 1', 'edit 2'], {}]);
      for (const end of ends) end();
      await running;
      assert.deepEqual(took, { 'edit 1': 5, 'edit 2': 5 });
    });

    it('lets nothing else begin before all of them know their diagnostics', async () => {
      const { order, ends, running } = edits('edit 1', 'edit 2', 'read', 'edit 3');
      while (ends.length < 2) await new Promise(setImmediate);
      ends[1]?.();
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      assert.deepEqual(order, ['edit 1', 'edit 2']);
      ends[0]?.();
      while (ends.length < 3) await new Promise(setImmediate);
      ends[2]?.();
      await running;
      assert.deepEqual(order, ['edit 1', 'edit 2', 'read', 'edit 3']);
    });
  });

  it('begins a call only after the outcome of the one before was recorded', async () => {
    const order: string[] = [];
    const calls = ['one', 'two'].map((name): ReadyCall => ({
      call: madeCall(name, {}, name),
      isRead: false,
      run: async () => (order.push(name), { state: 'done', content: '' }),
    }));
    await runCalls(calls, { signal, isSteered: () => false, now: () => 0 }, async ({ id }) => {
      await new Promise(setImmediate);
      order.push(`${id} recorded`);
    });
    assert.deepEqual(order, ['one', 'one recorded', 'two', 'two recorded']);
  });

  it('takes a call that the user stopped while it ran for no failure', async () => {
    const stop = new AbortController();
    const call: ReadyCall = {
      call: madeCall('edit'),
      isRead: false,
      async run(_signal, onState) {
        await onState('running');
        stop.abort();
        throw new Error('aborted');
      },
    };
    const [result] = await finished([call], stop.signal);
    assert.equal(result?.outcome.state, 'stopped');
    assert.equal(result?.outcome.unrun, undefined, 'it had begun');
  });
});
