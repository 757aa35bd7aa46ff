import assert from 'node:assert/strict';
import { FlowSteps } from '../../../../src/apps/client/flowSteps.ts';

describe('the steps of a run', () => {
  it('have the state that the server gives, else the one of the event', () => {
    const statusOf = (status: unknown) => new FlowSteps().read('node_finished', { id: 'n', status })?.status;
    const states = ['pending', 'running', 'exception', 'stopped', 'paused', 'retry', 'asleep', undefined];
    assert.deepEqual(states.map(statusOf), [
      ...['running', 'running', 'failed', 'stopped', 'paused', 'retrying', 'unknown', 'succeeded'],
    ]);
  });

  it('are named by their title, else by their kind, else by their node', () => {
    const named = (data: object) => {
      const { title, kind } = new FlowSteps().read('node_started', { id: 'n', ...data }) ?? {};
      return [title, kind];
    };
    assert.deepEqual(named({ title: 'Ask', node_type: 'llm', node_id: '7' }), ['Ask', 'llm']);
    assert.deepEqual(named({ node_type: 'llm', node_id: '7' }), ['llm', 'llm']);
    assert.deepEqual(named({ node_id: '7' }), ['7', '']);
    assert.deepEqual(named({}), ['', '']);
  });

  it('keep what they were begun with, also under numbers or the id of their node', () => {
    for (const id of [{ id: 'n' }, { id: 5 }, { node_id: 'n' }]) {
      const steps = new FlowSteps();
      const read = (kind: string, data = {}) => {
        const { title, kind: type, status, retries } = steps.read(kind, { ...id, ...data }) ?? {};
        return { title, type, status, retries };
      };
      const begun = { title: 'Ask', node_type: 'llm' };
      const known = { title: 'Ask', type: 'llm' };
      assert.deepEqual(read('node_started', begun), { ...known, status: 'running', retries: undefined });
      for (const retries of [1, 2]) {
        // A retry reports the state of the step itself.
        const retry = read('node_retry', { status: 'failed' });
        assert.deepEqual(retry, { ...known, status: 'retrying', retries });
      }
      assert.deepEqual(read('node_finished'), { ...known, status: 'succeeded', retries: 2 });
    }
  });

  it('say the round of a loop, whose kind is that of its events', () => {
    const steps = new FlowSteps();
    const read = (kind: string, data: object) => {
      const { kind: type, round, status } = steps.read(kind, { id: 'l', ...data }) ?? {};
      return [type, round, status];
    };
    assert.deepEqual(read('loop_started', {}), ['loop', undefined, 'running']);
    // The status is that of the step in it.
    assert.deepEqual(read('loop_next', { index: 0, status: 'succeeded' }), ['loop', 1, 'running']);
    assert.deepEqual(read('loop_next', { index: 1 }), ['loop', 2, 'running']);
    assert.deepEqual(read('loop_completed', { index: 7 }), ['loop', 2, 'succeeded']);
  });

  it('blame the first that failed within a loop, and none that is retried', () => {
    const steps = new FlowSteps();
    const end = (kind: string, id: string, status: string) => {
      steps.read(kind, { id, status });
      return steps.failedStep?.id;
    };
    assert.equal(end('node_retry', 'a', 'failed'), undefined);
    assert.equal(end('node_finished', 'a', 'succeeded'), undefined);
    assert.equal(end('node_finished', 'inner', 'failed'), 'inner');
    assert.equal(end('iteration_completed', 'outer', 'failed'), 'inner');
    assert.equal(end('node_finished', 'later', 'failed'), 'later');
  });
});
