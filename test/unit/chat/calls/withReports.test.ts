import assert from 'node:assert/strict';
import type { ToolBox } from '../../../../src/chat/calls/toolBox.ts';
import { withReports } from '../../../../src/chat/calls/withReports.ts';
import { madeCall } from '../../../support/madeCall.ts';

describe('withReports', () => {
  it('tells with the next result what has ended in the background, once', async () => {
    const box: ToolBox = {
      definitions: () => [],
      prepare: ({ name }) =>
        name === 'unknown'
          ? { problem: 'no such tool' }
          : { isRead: true, run: async () => ({ state: 'done', content: 'result' }) },
    };
    let waiting: string[] = [];
    const reporting = withReports(box, () => waiting.splice(0));
    const result = async () => {
      const call = reporting.prepare(madeCall('any'));
      assert.ok('run' in call && call.isRead);
      return (await call.run(new AbortController().signal, () => {})).content;
    };
    assert.equal(await result(), 'result');
    waiting = ['One has ended.', 'Two has ended.'];
    assert.equal(await result(), 'result\n[One has ended.]\n[Two has ended.]');
    assert.equal(await result(), 'result');
    assert.deepEqual(reporting.prepare(madeCall('unknown')), { problem: 'no such tool' });
  });
});
