import assert from 'node:assert/strict';
import type { ToolBox } from '../../../../src/chat/calls/toolBox.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { withReports } from '../../../../src/chat/turn/answerQuestion.ts';
import { madeCall } from '../../../support/madeCall.ts';

describe('answerQuestion', () => {
  it('tells with the next result what has ended in the background, once', async () => {
    const box: ToolBox = {
      definitions: () => [],
      prepare: (call) =>
        call.name === 'unknown'
          ? { call, problem: 'no such tool' }
          : { call, isRead: true, run: async () => ({ state: 'done', content: 'result' }) },
    };
    const conversation = new Conversation('c');
    const reporting = withReports(box, conversation);
    const result = async () => {
      const call = reporting.prepare(madeCall('any'));
      assert.ok('run' in call && call.isRead);
      const { content, reported } = await call.run(new AbortController().signal, async () => {});
      return { content, ...(reported && { reported }) };
    };
    assert.deepEqual(await result(), { content: 'result' });
    conversation.apply({ type: 'backgroundCommandEnded', id: '1', report: 'One has ended.' });
    conversation.apply({ type: 'backgroundCommandEnded', id: '2', report: 'Two has ended.' });
    assert.deepEqual(await result(), {
      content: 'result\n[One has ended.]\n[Two has ended.]',
      reported: ['1', '2'],
    });
    // It isn't recorded yet, as reads run side by side.
    assert.deepEqual(await result(), { content: 'result' });
    const call = madeCall('unknown');
    assert.deepEqual(reporting.prepare(call), { call, problem: 'no such tool' });
  });
});
