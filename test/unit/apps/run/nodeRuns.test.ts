import assert from 'node:assert/strict';
import type { AppEvent, AppStep } from '../../../../src/apps/app.ts';
import { NodeRuns, nodeRunText } from '../../../../src/apps/run/nodeRuns.ts';

const step = (
  node: string,
  status: AppStep['status'],
  more: Partial<AppStep> = {},
  inputs?: object,
): AppEvent => ({
  type: 'stepChanged',
  step: { id: `run of ${node}`, title: node, kind: 'code', status, ...more },
  node: { id: node, ...(inputs && { inputs: { ...inputs } }) },
});

function follow(...events: AppEvent[]): NodeRuns {
  const runs = new NodeRuns();
  for (const event of events) runs.note(event);
  return runs;
}

const textOf = (runs: NodeRuns, node: string) => nodeRunText(runs.get(node)!);

describe('nodes of a run', () => {
  it('add up the executions within iterations and loops', () => {
    const runs = follow(
      step('each', 'running'),
      step('each', 'succeeded', { elapsedMs: 300, tokens: 5 }),
      step('each', 'running'),
      step('each', 'succeeded', { elapsedMs: 900, tokens: 7 }),
    );
    assert.equal(textOf(runs, 'each'), 'done · 1.2 s · × 2 · 12 tokens');
  });

  it('tell while one runs, and that it was stopped with the run', () => {
    const runs = follow(step('start', 'succeeded', { elapsedMs: 4 }), step('ask', 'running'));
    assert.equal(textOf(runs, 'ask'), 'running');
    runs.end(undefined);
    assert.equal(textOf(runs, 'ask'), 'stopped');
    assert.equal(textOf(runs, 'start'), 'done · 4 ms');
    assert.equal(runs.failed, undefined);
  });

  it('keep the inputs of the one that failed, and of no other', () => {
    const runs = follow(
      step('start', 'succeeded', {}, { topic: 'tides' }),
      step('check', 'failed', { error: 'Traceback:\n  line 1\nValueError: odd\n' }, { topic: 'tides' }),
    );
    assert.equal(runs.failed, 'check');
    assert.equal(runs.get('check')?.inputs, '{"topic":"tides"}');
    assert.equal(runs.get('start')?.inputs, undefined);
    assert.equal(textOf(runs, 'check'), 'Failed: ValueError: odd · 0 ms');
    const long = follow(step('check', 'failed', {}, { text: 'x'.repeat(50_000) }));
    assert.ok(long.get('check')!.inputs!.length < 20_020);
  });

  it("take the run's error for the node that failed where the sign-in leaves it out", () => {
    const runs = follow(step('start', 'succeeded'), step('check', 'failed'));
    runs.end('odd');
    assert.equal(runs.get('check')?.error, 'odd');
    const own = follow(step('check', 'failed', { error: 'own' }));
    own.end('of the run');
    assert.equal(own.get('check')?.error, 'own');
    // A run that failed before any node did.
    const none = follow(step('start', 'succeeded'));
    none.end('limit');
    assert.equal(none.get('start')?.error, undefined);
  });

  it('are none of an agent or a chat app, which report no node', () => {
    const runs = new NodeRuns();
    assert.equal(
      runs.note({ type: 'stepChanged', step: { id: 'a', title: 'a', kind: 'agent', status: 'failed' } }),
      false,
    );
    assert.equal(runs.failed, undefined);
  });
});
